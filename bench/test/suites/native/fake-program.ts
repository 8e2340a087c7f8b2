/** A stand-in for a native program: it speaks the lines of bench/native/common.h and answers what it is told to. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param body  JavaScript that answers one line; it is given the line's words, `say` and `fs`
 * @returns the program's path
 */
export function fakeProgram(folder: string, name: string, body: string): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    `#!${process.execPath}
const fs = require('node:fs')
const say = (answer) => console.log(typeof answer === 'string' ? answer : JSON.stringify(answer))
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [method, body, kind, count, first, frames, warm, file] = line.split(' ')
  ${body}
})
`,
  )
  chmodSync(path, 0o755)
  return path
}
