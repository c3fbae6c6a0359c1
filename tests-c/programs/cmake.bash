# A project of many files is configured, built by make in parallel, tested and packed.
# needs: cmake ctest make gcc g++
mkdir -p project/parts
cat >project/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.10)
project(parts C CXX)
file(GLOB sources parts/*.c)
add_library(parts STATIC ${sources})
configure_file(main.cc.in main.cc)
add_executable(main ${CMAKE_CURRENT_BINARY_DIR}/main.cc)
target_link_libraries(main parts)
enable_testing()
foreach(n RANGE 1 20)
  add_test(NAME t${n} COMMAND main ${n})
endforeach()
set(text "")
foreach(n RANGE 1 3000)
  string(APPEND text "${n},")
  list(APPEND numbers ${n})
endforeach()
string(REGEX REPLACE "[0-9]+" "x" replaced "${text}")
string(SHA256 sum "${text}${replaced}")
list(LENGTH numbers count)
message(STATUS "sum ${sum} ${count}")
C
calls= names=
for i in $(seq 30); do
    echo "int part$i(int n) { int s = $i; for (int i = 0; i < n; i++) s = s * 31 + i; return s; }" >"project/parts/p$i.c"
    names+="extern \"C\" int part$i(int);" calls+=" + part$i(n)"
done
printf '#include <cstdio>\n#include <cstdlib>\n%s\nint main(int c, char **v) { int n = c > 1 ? atoi(v[1]) : 5; std::printf("%%s %%d\\n", "@PROJECT_NAME@", 0%s); }\n' \
    "$names" "$calls" >project/main.cc.in
run cmake -S project -B build -DCMAKE_BUILD_TYPE=Release | grep -e 'sum ' -e Generating
run cmake --build build -j2 | grep -c Building
build/main 7
run ctest --test-dir build -j2 | grep -o '100% tests passed.*'
run cmake -E tar cf parts.tar project && run cmake -E sha256sum project/main.cc.in
run cmake -E tar tf parts.tar | sort | cksum
run cmake --help-modules | cksum
run cmake -P project/missing.cmake 2>&1 | head -1
