/**
 * The WebAssembly assembler: functions are composed from typed pieces of code and written as the bytes of a module in
 * memory, so that no `.wasm` file must be found at run time. Only what the kernels need.
 */
export * from './code.js'
export * from './control.js'
export * from './instructions.js'
export * from './module.js'
