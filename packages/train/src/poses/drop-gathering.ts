/** The poses that are taken from drops, in the order of their runs, and what became of the others. */
import type { TetMesh } from 'pliant'
import type { DistinctPoses } from './drop-distinct.js'
import type { DropPoseOptions, DropPoses } from './drop-poses.js'
import type { DropRun } from './drop-run.js'

export class DropGathering {
  count = 0
  private readonly positions: Float32Array
  private readonly runOf: Uint32Array
  private readonly crossingsOf: Uint32Array
  private readonly report = { runs: 0, inverted: { poses: 0, tetrahedra: 0 }, dropped: 0, crossing: 0, unconverged: 0 }

  private readonly turned: { run: number; pose: Float32Array }[] = []

  constructor(
    private readonly mesh: TetMesh,
    private readonly options: Required<Pick<DropPoseOptions, 'poses' | 'crossing' | 'perRun' | 'keepInverted'>>,
    private readonly distinct: DistinctPoses,
  ) {
    const { poses } = options
    this.positions = new Float32Array(poses * mesh.positions.length)
    this.runOf = new Uint32Array(poses)
    this.crossingsOf = new Uint32Array(poses)
  }

  get isFull(): boolean {
    return this.count >= this.options.poses
  }

  add({ run, positions, inverted, crossings, unconverged }: DropRun): void {
    const { report } = this
    const coordinates = this.mesh.positions.length
    report.runs++
    report.unconverged += unconverged
    for (const snapshot of spread(inverted.length, this.options.perRun, run)) {
      if (this.isFull) break
      const pose = positions.subarray(snapshot * coordinates, (snapshot + 1) * coordinates)
      if (inverted[snapshot] > 0) {
        report.inverted.poses++
        report.inverted.tetrahedra += inverted[snapshot]
        if (this.options.keepInverted && this.turned.length < this.options.poses)
          this.turned.push({ run, pose: pose.slice() })
        continue
      }
      if (crossings[snapshot] > 0) report.crossing++
      if (crossings[snapshot] > 0 && this.options.crossing === 'leave-out') continue
      if (!this.distinct.add(pose)) {
        report.dropped++
        continue
      }
      this.positions.set(pose, this.count * coordinates)
      this.crossingsOf[this.count] = crossings[snapshot]
      this.runOf[this.count++] = run
    }
  }

  result(): DropPoses {
    const { count } = this
    return {
      count,
      positions: this.positions.slice(0, count * this.mesh.positions.length),
      runOf: this.runOf.slice(0, count),
      crossingsOf: this.crossingsOf.slice(0, count),
      ...this.report,
      ...(this.options.keepInverted ? { turned: this.turnedPoses() } : {}),
    }
  }

  private turnedPoses(): DropPoses['turned'] {
    const { turned } = this
    const positions = new Float32Array(turned.length * this.mesh.positions.length)
    turned.forEach(({ pose }, i) => {
      positions.set(pose, i * pose.length)
    })
    return { count: turned.length, positions, runOf: Uint32Array.from(turned, ({ run }) => run) }
  }
}

/** `taken` of `count` numbers, spread evenly, others for the next run: all of them come up equally often. */
function spread(count: number, taken: number, run: number): number[] {
  const step = count / taken
  const shift = (run * GOLDEN) % 1
  return Array.from({ length: taken }, (_, k) => Math.floor((k + shift) * step))
}
const GOLDEN = (Math.sqrt(5) - 1) / 2
