/** Finished drops on disk, so that a run that was stopped or killed goes on where it was. */
import { createHash } from 'node:crypto'
import type { TetMesh } from 'pliant'
import { AppendLog } from '../resume/append-log.js'
import type { DropSettings } from './drop-options.js'
import type { DropRun } from './drop-run.js'

/** Where the drops of a run are kept whose checkpoint is there. */
export function dropLogPath(checkpointPath: string): string {
  return `${checkpointPath}-poses`
}

export class DropLog {
  private readonly blockOfRun = new Map<number, number>()

  private constructor(
    private readonly log: AppendLog,
    private readonly snapshots: number,
  ) {
    for (let block = 0; block < log.count; block++) this.blockOfRun.set(this.decode(log.read(block)).run, block)
  }

  /**
   * @param resume go on with what is there; otherwise it is thrown away
   * @throws BadInput if what is there is of another body or other settings
   */
  static open(path: string, mesh: TetMesh, settings: DropSettings, resume: boolean): DropLog {
    const others = 'another body or of other options'
    const log = AppendLog.open(path, { kind: 'poses', key: keyOf(mesh, settings), resume, others })
    return new DropLog(log, settings.snapshots)
  }

  /** Runs that are kept. */
  get count(): number {
    return this.blockOfRun.size
  }

  /** A run that was finished before. */
  find(run: number): DropRun | undefined {
    const block = this.blockOfRun.get(run)
    return block === undefined ? undefined : this.decode(this.log.read(block))
  }

  add({ run, unconverged, inverted, crossings, positions }: DropRun): void {
    const counts = Uint32Array.of(run, unconverged, ...inverted, ...crossings)
    this.log.add(Buffer.concat([bytesOf(counts), bytesOf(positions)]))
    this.blockOfRun.set(run, this.log.count - 1)
  }

  close(): void {
    this.log.close()
  }

  private decode({ buffer }: Uint8Array<ArrayBuffer>): DropRun {
    const { snapshots } = this
    const counts = new Uint32Array(buffer, 0, 2 + 2 * snapshots)
    return {
      run: counts[0],
      unconverged: counts[1],
      inverted: counts.slice(2, 2 + snapshots),
      crossings: counts.slice(2 + snapshots),
      positions: new Float32Array(buffer, counts.byteLength),
    }
  }
}

/** All that a drop depends on but its number. */
function keyOf(mesh: TetMesh, settings: DropSettings): string {
  const hash = createHash('sha256').update(JSON.stringify(settings))
  return hash.update(bytesOf(mesh.positions)).update(bytesOf(mesh.tetrahedra)).digest('hex')
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
