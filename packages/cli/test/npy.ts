/** Arrays on disk for tests. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type NpyArray, readNpy, writeNpy } from 'pliant/files'

export function saveNpy(path: string, data: NpyArray, shape?: number[]): string {
  writeFileSync(path, writeNpy(data, shape))
  return path
}

export function loadNpy(path: string) {
  return readNpy(readFileSync(path))
}

/** A cube from 0 to 1 as OBJ text, faces outward. */
export const CUBE_OBJ = `v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
`
