"""Atoms that MDAnalysis names, of formats whose positions and boxes are read here."""


def read_structure(form, path):
    import mdanalysis_file

    return mdanalysis_file.read_structure(form, path)


class NamedFile:
    """A file of the format `form` at `path`."""

    def table(self):
        return read_structure(self.form, self.path)
