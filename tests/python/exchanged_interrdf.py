"""Plugin for pytest: MDAnalysis' own tests import the classes of starhist."""

import MDAnalysis.analysis.rdf

from starhist import mdanalysis

MDAnalysis.analysis.rdf.InterRDF = mdanalysis.InterRDF
MDAnalysis.analysis.rdf.InterRDF_s = mdanalysis.InterRDF_s
