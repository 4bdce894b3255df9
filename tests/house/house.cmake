# Tests of the sources themselves: rooms, headers, flags, symbols, format.
find_package(Python3 COMPONENTS Interpreter)
