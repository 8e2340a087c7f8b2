/**
 * Results on disk, one block after the other, so that a run that was stopped or killed goes on where it was: a header that
 * names what they are of, then blocks that are only ever added, each with its length and a checksum. What a kill leaves
 * of the last one is dropped.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { BadInput } from '../input/bad-input.js'

export interface AppendLogOptions {
  /** What the blocks are, in one word: 'poses'. */
  kind: string
  /** All that the blocks depend on, as a hash: a log of anything else is refused. */
  key: string
  /** Go on with what is there; otherwise it is thrown away. */
  resume: boolean
  /** Whose they are if the key is another one, for the error: 'another body'. */
  others: string
}

/** Bytes of a block's length and of its checksum. */
const LENGTH = 8
const CHECK = 8

export class AppendLog {
  /** Where each block's length stands. */
  private readonly offsets: number[] = []
  private end = 0

  private constructor(
    private readonly path: string,
    private readonly file: number,
  ) {}

  /** @throws BadInput if what is there is of another kind or key */
  static open(path: string, { kind, key, resume, others }: AppendLogOptions): AppendLog {
    const log = new AppendLog(path, openFile(path, resume))
    try {
      if (!log.begin(Buffer.from(`pliant-log 1 ${kind} ${key}\n`))) {
        throw new BadInput(
          `resume: the ${kind} in ${path} are of ${others}; pass those of that run, or train without --resume to start over.`,
        )
      }
    } catch (error) {
      closeSync(log.file)
      throw error
    }
    return log
  }

  /** Blocks that are there. */
  get count(): number {
    return this.offsets.length
  }

  /** The bytes of a block, in memory of their own. */
  read(block: number): Uint8Array<ArrayBuffer> {
    return this.readAt(this.offsets[block])!
  }

  add(block: Uint8Array): void {
    const head = Buffer.alloc(LENGTH)
    head.writeBigUInt64LE(BigInt(block.length))
    this.write(Buffer.concat([head, block, checkOf(head, block)]), this.end)
    this.offsets.push(this.end)
    this.end += LENGTH + block.length + CHECK
  }

  /** Waits until all of it is on the disk, and would outlast a loss of power. */
  sync(): void {
    fsyncSync(this.file)
  }

  /** One without a block is removed: there is nothing to go on from. */
  close(): void {
    closeSync(this.file)
    if (this.count === 0) rmSync(this.path, { force: true })
  }

  /** @returns false if the file begins otherwise */
  private begin(header: Buffer): boolean {
    const there = Buffer.alloc(Math.min(header.length, fstatSync(this.file).size))
    readSync(this.file, there, 0, there.length, 0)
    if (!header.subarray(0, there.length).equals(there)) return false
    this.end = header.length
    // A kill may have come before there was a whole header.
    if (there.length < header.length) this.write(header, 0)
    for (let block = this.readAt(this.end); block; block = this.readAt(this.end)) {
      this.offsets.push(this.end)
      this.end += LENGTH + block.length + CHECK
    }
    ftruncateSync(this.file, this.end)
    return true
  }

  /** @returns undefined if there is no whole block */
  private readAt(offset: number): Uint8Array<ArrayBuffer> | undefined {
    const head = Buffer.alloc(LENGTH)
    if (readSync(this.file, head, 0, LENGTH, offset) < LENGTH) return undefined
    const length = head.readBigUInt64LE()
    if (length > BigInt(fstatSync(this.file).size - offset - LENGTH - CHECK)) return undefined
    const block = new Uint8Array(Number(length))
    const check = Buffer.alloc(CHECK)
    readSync(this.file, block, 0, block.length, offset + LENGTH)
    readSync(this.file, check, 0, CHECK, offset + LENGTH + block.length)
    return checkOf(head, block).equals(check) ? block : undefined
  }

  private write(bytes: Buffer, offset: number): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.file, bytes, done, bytes.length - done, offset + done)
    }
  }
}

function openFile(path: string, resume: boolean): number {
  if (!resume) return openSync(path, 'w+')
  try {
    return openSync(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return openSync(path, 'w+')
  }
}

function checkOf(head: Uint8Array, block: Uint8Array): Buffer {
  return createHash('sha256').update(head).update(block).digest().subarray(0, CHECK)
}
