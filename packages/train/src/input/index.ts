/** What is handed in (entry `@pliant/train/input`): files, what they are, and what is wrong with them. */
export { BadInput } from './bad-input.js'
export { type FileKind, fileKind } from './file-kind.js'
export { InputFileError, LARGEST_INPUT, readCompanion, readInputFile } from './input-file.js'
export { NamedFiles, type Naming, SPEC_NAMING } from './named-files.js'
