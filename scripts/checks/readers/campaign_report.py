"""Counts and prints the findings of a campaign."""

import collections


class Report:
    """Files, fields, readers, refusals and differences of a campaign."""

    def __init__(self, settled, most_shown):
        self.settled, self.most_shown = settled, most_shown
        self.files = collections.Counter()
        self.read = collections.Counter()  # (format, reader): files read
        self.fields = collections.Counter()  # (format, reader): fields compared
        self.refusals = collections.Counter()  # (format, reader, reason)
        self.unsettled = collections.Counter()  # (format, reader, field)
        self.settled_by = collections.Counter()  # row of settled.csv as text: differences
        self.shown = collections.Counter()

    def refuse(self, case, reader, reason):
        self.refusals[case.format, reader, reason] += 1

    def compared(self, case, reader, fields, differences):
        self.read[case.format, reader] += 1
        self.fields[case.format, reader] += len(fields)
        for difference in differences:
            row = self.settled.row_for(case.format, reader, difference.field, case.tags)
            if row is not None:
                self.settled_by[" ".join(list(row.values())[:4])] += 1
                continue
            self.add_unsettled(
                case, reader, difference.field, f"expected {difference.expected}\n    seen {difference.seen}"
            )

    def add_unsettled(self, case, reader, field, text):
        key = case.format, reader, field
        self.unsettled[key] += 1
        if self.unsettled[key] <= self.most_shown:
            origin = f"seed {case.seed}" if case.seed is not None else case.path
            print(
                f"{case.format} {origin}: {reader}: {field}\n    {text}\n    features: {', '.join(sorted(case.tags))}",
                flush=True,
            )

    def summary(self, versions):
        """Prints the tables; returns whether no difference is unsettled."""
        readers = sorted({reader for _, reader in self.read} | {r for _, r, _ in self.refusals})
        print("\nfiles read / fields compared, by format and reader")
        for form in self.files:
            cells = [f"{r} {self.read[form, r]}/{self.fields[form, r]}" for r in readers if self.read[form, r]]
            print(f"  {form:8s} {self.files[form]:5d} files: {', '.join(cells)}")
        print("\nrefused")
        for (form, reader, reason), count in sorted(
            self.refusals.items(), key=lambda item: (item[0][1] != "starhist", item[0])
        ):
            print(f"  {form} {reader} {count}: {reason}")
        print("\nsettled differences, by row of settled.csv")
        for row, count in sorted(self.settled_by.items()):
            print(f"  {count}: {row}")
        if self.unsettled:
            print("\nunsettled differences")
            for (form, reader, field), count in sorted(self.unsettled.items()):
                print(f"  {form} {reader} {field}: {count}")
        print("\nreaders: " + ", ".join(f"{name} {version}" for name, version in versions))
        print(
            f"{sum(self.files.values())} files, {sum(self.fields.values())} fields, "
            f"{len(readers)} readers, {sum(self.settled_by.values())} differences settled, "
            f"{sum(self.unsettled.values())} unsettled"
        )
        return not self.unsettled
