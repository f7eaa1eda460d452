#!/usr/bin/env python3
"""Compares the Fortran module starhist.f90 with the C headers: each public function has an interface
whose arguments have the names and types of the C function, and constants and the type
starhist_block have the values and components of the header.

    scripts/checks/check_fortran.py [ROOT]     prints differences, exit status 1 if any
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[2]
HEADERS = ["driver/capi/starhist.h", "driver/capi/file/starhist_file.h"]
MODULE = "driver/capi/examples/starhist.f90"

# Types of numbers. Fortran has no unsigned integers; the signed ones have the same size.
NUMBERS = {
    "int": "integer(c_int)",
    "unsigned": "integer(c_int)",
    "int32_t": "integer(c_int32_t)",
    "uint32_t": "integer(c_int32_t)",
    "int64_t": "integer(c_int64_t)",
    "uint64_t": "integer(c_int64_t)",
    "size_t": "integer(c_size_t)",
    "ptrdiff_t": "integer(c_intptr_t)",
    "float": "real(c_float)",
    "double": "real(c_double)",
}
RESULTS = {"starhist_status": "integer(c_int)", "const char*": "type(c_ptr)", "void": None}


def c_names(declarations):
    """Yields (type, name) of C declarations such as `const char* name`; the name of an array includes
    its size, as in Fortran: box(9)."""
    for declaration in declarations:
        kind, name, size = re.fullmatch(r"(.*?)(\w+)(?:\[(\d+)\])?", " ".join(declaration.split())).groups()
        yield kind.replace(" *", "*").strip(), f"{name}({size})" if size else name


def read_headers(root):
    """Returns the functions, as {name: (result, [(type, name)])}, the components of starhist_block and
    the constants of the headers."""
    text = "\n".join((root / path).read_text("utf-8") for path in HEADERS)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    functions = {}
    declaration = r"^STARHIST_API\s+(starhist_status|const char\*|void)\s+(\w+)\(([^()]*)\);"
    for result, name, arguments in re.findall(declaration, text, re.MULTILINE):
        arguments = [] if arguments == "void" else arguments.split(",")
        functions[name] = result, list(c_names(arguments))
    if len(functions) != len(re.findall(r"^STARHIST_API", text, re.MULTILINE)) or not functions:
        sys.exit("check_fortran.py: a declaration of the headers has an unknown form (extend check_fortran.py)")
    constants = dict(re.findall(r"^ *(STARHIST_\w+) = (\d+)", text, re.MULTILINE))
    constants |= dict(re.findall(r"^#define (STARHIST_\w+) (\d+)u?$", text, re.MULTILINE))
    constants |= dict.fromkeys(re.findall(r"^#define (STARHIST_\w+) UINT64_MAX$", text, re.MULTILINE), "-1")
    block = re.search(r"typedef struct starhist_block \{(.*?)\}", text, re.DOTALL)[1]
    return functions, list(c_names(block.split(";")[:-1])), constants


def fortran_names(lines):
    """Returns {name: (type, attributes, shape)} of the declarations in these lines."""
    names = {}
    for line in lines:
        declaration = re.fullmatch(r" *(\w+(?:\([^()]*\))?)((?:, [a-z]+(?:\(\w+\))?)*) :: (.*)", line)
        if declaration:
            attributes = set(declaration[2].split(", ")[1:])
            for name, shape in re.findall(r"(\w+)(\([^()]*\))?", declaration[3].split(" = ")[0]):
                names[name] = declaration[1], attributes, shape
    return names


def read_module(root):
    """Returns the interfaces, as {name: (result, [argument], declarations)}, the components of
    starhist_block and the constants of the module."""
    text = re.sub(r" *!.*", "", (root / MODULE).read_text("utf-8"))
    text = re.sub(r"&\n *", "", text)
    interfaces = {}
    for kind, name, arguments, head, body in re.findall(
        r"^ *(function|subroutine) (starhist_\w+)\(([^()]*)\) *bind\(c\)(.*)\n((?:.*\n)*?) *end \1", text, re.MULTILINE
    ):
        declarations = fortran_names(body.splitlines())
        result = declarations[re.search(r"result\((\w+)\)", head)[1]][0] if kind == "function" else None
        interfaces[name] = result, [a.strip() for a in arguments.split(",") if a], declarations
    block = re.search(r"type, bind\(c\) :: starhist_block\n(.*?)end type|$", text, re.DOTALL)[1] or ""
    constants = {}
    for line in re.findall(r"integer\(c_int(?:64_t)?\), parameter :: (.*)", text):
        constants |= dict(re.findall(r"(\w+) = (-?\d+)", line))
    return interfaces, fortran_names(block.splitlines()), constants


def matches(c_type, declaration, on_gpu):
    """Returns whether a Fortran argument is passed as the C type requires. Only an argument passed by
    reference can be omitted."""
    fortran, attributes, shape = declaration
    address = fortran == "type(c_ptr)" and attributes == {"value"} and not shape
    if c_type in NUMBERS:
        return fortran == NUMBERS[c_type] and attributes == {"value"} and not shape
    if on_gpu or re.fullmatch(r"(const )?(void|starhist_context|starhist_histogram)\*", c_type):
        return address
    intent = {"intent(in)"} if c_type.startswith("const ") and c_type != "const char**" else set()
    by_reference = attributes - {"optional"} == intent
    if c_type == "const char*":
        return address or (fortran == "character(kind=c_char)" and by_reference and shape == "(*)")
    if c_type == "const char* const*":
        return fortran == "type(c_ptr)" and by_reference and shape == "(*)"
    if c_type.endswith("**"):
        return fortran == "type(c_ptr)" and by_reference and not shape
    target = c_type.removeprefix("const ").removesuffix("*")
    return fortran == NUMBERS.get(target, f"type({target})") and by_reference and (shape == "(*)" or not intent)


def differences(root):
    """Yields a line for each difference between headers and module."""
    functions, block, constants = read_headers(root)
    interfaces, components, parameters = read_module(root)
    for name in sorted(functions.keys() - interfaces.keys()):
        yield f"{name} has no interface"
    for name in sorted(interfaces.keys() - functions.keys()):
        yield f"{name} is not in the headers"
    for name in functions.keys() & interfaces.keys():
        c_result, c_arguments = functions[name]
        result, arguments, declarations = interfaces[name]
        if RESULTS[c_result] != result:
            yield f"{name} returns {c_result}, in Fortran {result}"
        if [argument for _, argument in c_arguments] != arguments:
            yield f"{name} has other arguments in Fortran: {', '.join(arguments)}"
            continue
        for c_type, argument in c_arguments:
            if argument not in declarations:
                yield f"{name}: {argument} is not declared"
            elif not matches(c_type, declarations[argument], on_gpu="_gpu_" in name and argument == "positions"):
                yield f"{name}: {argument} is {c_type}, in Fortran {declarations[argument]}"
    for name in sorted(constants.keys() | parameters.keys()):
        if constants.get(name) != parameters.get(name):
            yield f"{name} is {constants.get(name)}, in Fortran {parameters.get(name)}"
    expected = [(name, NUMBERS[kind]) for kind, name in block]
    if expected != [(name + shape, kind) for name, (kind, _, shape) in components.items()]:
        yield "the components of starhist_block differ"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=ROOT)
    root = parser.parse_args().root
    problems = list(differences(root))
    for problem in problems:
        print(f"{MODULE}: {problem}")
    functions, _, constants = read_headers(root)
    print(f"{len(functions)} functions and {len(constants)} constants, {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
