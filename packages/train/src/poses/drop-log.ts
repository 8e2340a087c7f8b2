/**
 * Finished drops on disk, so that a run that was stopped or killed goes on where it was. A header that names the body and
 * the settings, then one record after the other, each with a checksum: what a kill leaves of the last one is dropped.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import type { TetMesh } from 'pliant'
import { BadInput } from '../bad-input.js'
import type { DropSettings } from './drop-options.js'
import type { DropRun } from './drop-run.js'

const MAGIC = 'pliant-drops 1 '
const HEADER = MAGIC.length + 64
/** Bytes of a record's checksum. */
const CHECK = 8

/** Where the drops of a run are kept whose checkpoint is there. */
export function dropLogPath(checkpointPath: string): string {
  return `${checkpointPath}-poses`
}

export class DropLog {
  private readonly offsets = new Map<number, number>()
  private end = HEADER

  private constructor(
    private readonly file: number,
    private readonly snapshots: number,
    private readonly coordinates: number,
  ) {}

  /**
   * @param resume go on with what is there; otherwise it is thrown away
   * @throws BadInput if what is there is of another body or other settings
   */
  static open(path: string, mesh: TetMesh, settings: DropSettings, resume: boolean): DropLog {
    const log = new DropLog(openLog(path, resume), settings.snapshots, mesh.positions.length)
    try {
      log.begin(path, keyOf(mesh, settings))
    } catch (error) {
      log.close()
      throw error
    }
    return log
  }

  /** Runs that are kept. */
  get count(): number {
    return this.offsets.size
  }

  /** A run that was finished before. */
  find(run: number): DropRun | undefined {
    const offset = this.offsets.get(run)
    return offset === undefined ? undefined : this.read(offset)
  }

  add(result: DropRun): void {
    const { run, unconverged, inverted, crossings, positions } = result
    const counts = Uint32Array.of(run, unconverged, ...inverted, ...crossings)
    const payload = Buffer.concat([bytesOf(counts), bytesOf(positions)])
    writeSync(this.file, Buffer.concat([payload, checkOf(payload)]), 0, undefined, this.end)
    this.offsets.set(run, this.end)
    this.end += this.recordBytes
  }

  close(): void {
    closeSync(this.file)
  }

  private get recordBytes(): number {
    return 4 * (2 + this.snapshots * (2 + this.coordinates)) + CHECK
  }

  private begin(path: string, key: string): void {
    const size = fstatSync(this.file).size
    // A kill may have come before there was a whole header.
    if (size < HEADER) {
      ftruncateSync(this.file)
      writeSync(this.file, MAGIC + key, 0)
      return
    }
    const header = Buffer.alloc(HEADER)
    readSync(this.file, header, 0, HEADER, 0)
    if (header.toString('latin1') !== MAGIC + key) {
      throw new BadInput(
        `resume: the poses in ${path} are of another body or of other options; pass those of that run, or train without --resume to start anew.`,
      )
    }
    for (let run = this.read(this.end); run; run = this.read(this.end)) {
      this.offsets.set(run.run, this.end)
      this.end += this.recordBytes
    }
    ftruncateSync(this.file, this.end)
  }

  /** @returns undefined if there is no whole record */
  private read(offset: number): DropRun | undefined {
    const { snapshots } = this
    // Fresh memory, for the arrays of the run are views of it.
    const record = Buffer.from(new ArrayBuffer(this.recordBytes))
    if (readSync(this.file, record, 0, record.length, offset) < record.length) return undefined
    const payload = record.subarray(0, record.length - CHECK)
    if (!checkOf(payload).equals(record.subarray(payload.length))) return undefined
    const counts = new Uint32Array(record.buffer, 0, 2 + 2 * snapshots)
    return {
      run: counts[0],
      unconverged: counts[1],
      inverted: counts.slice(2, 2 + snapshots),
      crossings: counts.slice(2 + snapshots),
      positions: new Float32Array(record.buffer, counts.byteLength, snapshots * this.coordinates),
    }
  }
}

function openLog(path: string, resume: boolean): number {
  if (!resume) return openSync(path, 'w+')
  try {
    return openSync(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return openSync(path, 'w+')
  }
}

/** All that a drop depends on but its number. */
function keyOf(mesh: TetMesh, settings: DropSettings): string {
  const hash = createHash('sha256').update(JSON.stringify(settings))
  return hash.update(bytesOf(mesh.positions)).update(bytesOf(mesh.tetrahedra)).digest('hex')
}

function checkOf(payload: Buffer): Buffer {
  return createHash('sha256').update(payload).digest().subarray(0, CHECK)
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
