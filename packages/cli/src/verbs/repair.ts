/** `pliant repair`: codes or motions whose shapes touch themselves, moved to the nearest ones that do not, checked exactly. */
import type { RepairReport } from 'pliant/respond'
import { npyBytes, readCodes } from '../arrays.js'
import { readTrained } from '../artifact-file.js'
import { inBatches } from '../batches.js'
import { UsageError } from '../errors.js'
import { checkWritable, writeBeside } from '../files.js'
import { formatCount, formatNumber, formatSeconds, labelled } from '../format.js'
import { commandOf } from '../kinds/index.js'
import { MOTION_OPTIONS } from '../motions.js'
import { repairMotions } from '../repair-motion.js'
import type { Verb } from '../verb.js'

/** Codes repaired between two looks at Ctrl-C: each may take some tens of exact tests. */
const PIECE = 8

export const repair: Verb = {
  name: 'repair',
  summary:
    'moves codes, or the frames of a motion, to the nearest whose shapes do not touch themselves, and checks each exactly',
  operands: [{ name: 'FILE', help: 'a trained artifact of a body or character with self-contact' }],
  options: {
    code: {
      value: 'Z.npy',
      help: "codes, shape [n, c], or [c] of one; 'pliant inspect FILE' says what they mean",
    },
    motion: {
      value: 'FILES',
      help: 'a character only, in place of --code: recorded clips, comma-separated: .bvh, or glTF files with animations; joints are found by name and place in the body',
    },
    out: {
      value: 'FILE',
      help: 'receives the repaired codes, of the same shape and precision; or the repaired clips, as .glb or .bvh',
      required: true,
    },
    margin: {
      value: 'M',
      help: 'what repaired shapes keep from self-contact by the learned field: of codes in their unit (default 0.01), of motions in metres (default 0.004)',
    },
    clip: { value: 'NAME', help: 'of --motion: only this clip' },
    keep: {
      value: 'JOINTS',
      help: 'of --motion: joints that stay where the recording has them, comma-separated, such as feet on the ground',
    },
    into: {
      value: 'GLB',
      help: 'of --motion: the GLB of the character, to which the clips are added with all else as it is; without it --out has a plain body',
    },
    ...MOTION_OPTIONS,
  },
  examples: [
    'pliant repair bracelet.safetensors --code Z.npy --out Z2.npy',
    'pliant repair bracelet.safetensors --code Z.npy --out Z2.npy --margin 0.05 --json',
    'pliant repair hero.safetensors --motion mocap.bvh --into hero.glb --out clean.glb --keep LeftFoot,RightFoot',
  ],
  json: {
    count: 'number of codes',
    touching: 'number of codes that touched themselves, exactly, once they were put into the box',
    outsideBox: 'number of codes outside the box that was trained, which were put onto it first',
    freed: 'number of touching codes that are free now, exactly',
    free: 'for each code whether it is free now, exactly',
    moved:
      'of the codes that were moved: { codes, mean, max }, how far [unit of the code]; the way into the box counts',
    margin: 'that was kept',
    exactTests: 'number of exact tests asked',
    seconds: 'time taken',
    motions:
      'with --motion, in place of all above: for each clip { file, clip, seconds, share, matched, atRest, unused, reference, frames, rate, touching, stillTouching, newlyTouching (counts of frames), touchingFrames (those left), spans: { from, to }[] that were changed [s], parts: joints of the parts that ran into each other, change: { mean, max } of joint angles [degrees], jerk: { before, after } of joint angles [degrees / s^3], workSeconds }',
    fault: 'why its training marked the file as bad, or null',
    files: 'files written',
  },
  notes: [
    'A code that is free already stays as it is, however near to contact; one outside the box is put onto it first. What could not be freed is written as it was, in its box, and the exit code is 1.',
    'Of a motion, frames that run into themselves are changed, and those shortly before and after, so that changes come and go smoothly; all others stay as they are, and so does whatever moves the root. Contact that a character has anyway does not count: bones that are joined, skin that is near along the surface, clothes on skin (`pliant inspect FILE` says by how much). Frames that could not be freed are told, and the exit code is 1.',
  ].join('\n\n'),
  async run(call) {
    const { args } = call
    if (args.has('motion') === args.has('code')) {
      throw new UsageError('repair: pass either --code with codes, or --motion with recorded clips.')
    }
    if (args.has('motion')) return repairMotions(call)
    const foreign = ['clip', 'keep', 'into', ...Object.keys(MOTION_OPTIONS)].find((name) => args.has(name))
    if (foreign !== undefined) throw new UsageError(`repair: --${foreign} is for --motion; leave it out.`)
    const [path] = args.operands
    const [codePath, out] = [args.required('code'), args.required('out')]
    await checkWritable([out], [path, codePath])
    const { artifact } = await readTrained(path)
    const repairing = commandOf(path, artifact, 'repair')
    const { size } = artifact.manifest.code
    const { data, count, shape } = await readCodes(codePath, size, path)
    const { REPAIR_DEFAULTS, repairCode } = await import('pliant/respond')
    const { exactSelfContact } = await import('pliant/exact')
    const margin = args.number('margin', { lower: 0 }) ?? REPAIR_DEFAULTS.margin
    const field = await repairing.open(artifact, {})
    const exact = call.unbroken(() => exactSelfContact(repairing.shapeOf(artifact)))

    const repaired = data.slice()
    const reports: RepairReport[] = []
    const start = performance.now()
    await inBatches(
      count,
      'repairing codes',
      call,
      (from, to) => {
        for (let i = from; i < to; i++) {
          const code = repaired.subarray(i * size, (i + 1) * size)
          reports.push(repairCode(field, exact, code, { margin }, code))
        }
      },
      PIECE,
    )
    const seconds = (performance.now() - start) / 1000
    field.dispose()
    await writeBeside(out, npyBytes(repaired, shape))

    const summary = { ...summaryOf(reports), margin, seconds }
    const stuck = count - reports.filter(({ free }) => free).length
    return {
      json: { count, ...summary, fault: artifact.manifest.fault ?? null, files: [out] },
      text: labelled(rowsOf(count, summary, out)),
      failed:
        stuck > 0
          ? `repair: ${formatCount(stuck)} of ${formatCount(count)} codes could not be freed and are written as they were; try another --margin.`
          : undefined,
    }
  },
}

interface Summary {
  touching: number
  outsideBox: number
  freed: number
  free: boolean[]
  moved: { codes: number; mean: number; max: number }
  exactTests: number
}

function summaryOf(reports: readonly RepairReport[]): Summary {
  const ways = reports.flatMap(({ moved }) => (moved > 0 ? [moved] : []))
  const touching = reports.filter(({ wasFree }) => !wasFree)
  return {
    touching: touching.length,
    outsideBox: reports.filter(({ clamped }) => clamped).length,
    freed: touching.filter(({ free }) => free).length,
    free: reports.map(({ free }) => free),
    moved: {
      codes: ways.length,
      mean: ways.length > 0 ? ways.reduce((sum, way) => sum + way, 0) / ways.length : 0,
      max: ways.reduce((most, way) => Math.max(most, way), 0),
    },
    exactTests: reports.reduce((sum, { tests }) => sum + tests, 0),
  }
}

function rowsOf(count: number, summary: Summary & { seconds: number }, out: string): [string, string][] {
  const { touching, outsideBox, freed, moved, exactTests, seconds } = summary
  const rows: [string, string][] = [
    ['codes', `${formatCount(count)}, ${formatCount(touching)} of them touching themselves`],
    ['free now', `${formatCount(freed)} of these ${formatCount(touching)}, by the exact test`],
    [
      'moved',
      `${formatCount(moved.codes)}, by ${formatNumber(moved.mean)} in the mean, ${formatNumber(moved.max)} at most`,
    ],
  ]
  if (outsideBox > 0) rows.push(['outside', `${formatCount(outsideBox)} were put into the box that was trained first`])
  rows.push(['time', `${formatSeconds(seconds)}, ${formatCount(exactTests)} exact tests`], ['written', out])
  return rows
}
