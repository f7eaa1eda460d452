"""Files whose atoms MDAnalysis names; positions and boxes of most are read here."""

from file_frame import Reader


class NamedFile(Reader):
    def __init__(self, source):
        self.source = source

    def table(self):
        return self.structure(self.source)

    @classmethod
    def structure(cls, source):
        import mdanalysis_file

        return mdanalysis_file.read_structure(source.form, source.path)
