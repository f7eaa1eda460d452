"""The generators of all formats, by the names that --formats takes."""

from readers.make_binary import make_dcd, make_gromacs, make_gsd, make_h5md, make_netcdf, make_restart
from readers.make_biomol import make_gro, make_mmcif, make_pdb
from readers.make_dlpoly import make_config, make_history
from readers.make_lammps import make_data, make_dump
from readers.make_xyz import make_extxyz, make_xyz

MAKERS = {
    "extxyz": make_extxyz,
    "xyz": make_xyz,
    "dump": make_dump,
    "data": make_data,
    "gro": make_gro,
    "pdb": make_pdb,
    "mmcif": make_mmcif,
    "h5md": make_h5md,
    "xtc": make_gromacs("xtc"),
    "trr": make_gromacs("trr"),
    "dcd": make_dcd,
    "netcdf": make_netcdf,
    "restart": make_restart,
    "gsd": make_gsd,
    "config": make_config,
    "history": make_history,
}
