/** `pliant self-distance`: how near codes are to self-contact, learned, exact, or learned with a promise. */
import type { HybridRow } from 'pliant'
import type { BoxedConfigurationField, HybridQuality } from 'pliant/detect'
import type { OrtCodeField } from 'pliant/ort'
import { makeFloats, npyBytes, readCodes } from '../arrays.js'
import { readTrained } from '../artifact-file.js'
import { EXACT_PIECE, inBatches } from '../batches.js'
import { outsideBox } from '../code-box.js'
import { UsageError } from '../errors.js'
import { checkWritable, type OutputFile, writeAllBeside } from '../files.js'
import { formatCount, formatNumber, formatSeconds, labelled } from '../format.js'
import { commandOf } from '../kinds/index.js'
import type { Backend } from '../learned-field.js'
import type { Verb } from '../verb.js'

export const selfDistance: Verb = {
  name: 'self-distance',
  summary: 'learned distance of codes to the nearest shape that touches itself, beside or together with an exact test',
  operands: [{ name: 'FILE', help: 'a trained artifact of a body or character with self-contact' }],
  options: {
    code: {
      value: 'Z.npy',
      help: "codes, shape [n, c], or [c] of one; 'pliant inspect FILE' says what they mean",
      required: true,
    },
    out: {
      value: 'D.npy',
      help: 'receives the learned distances in the unit of the code, shape [n], negative where the shape touches itself',
    },
    gradients: { value: 'G.npy', help: 'receives their gradients by the code, shape [n, c], away from self-contact' },
    touching: {
      value: 'T.npy',
      help: 'receives 1 for each code that touches itself and 0 for a free one, uint8, shape [n]: by the exact test where it is asked, else by the sign',
    },
    exact: { help: 'also test every code exactly, and say how often the sign agrees' },
    'max-false-negatives': {
      value: 'SHARE',
      help: 'test exactly where the learned distance is so small that else more than this share of touching codes (0 to 1) might be called free, at a confidence of 95%; see below',
    },
    backend: {
      value: 'NAME',
      choices: ['simd', 'ort', 'scalar'],
      help: 'what computes: WebAssembly (default where the host has it), onnxruntime-node (large batches), or plain JavaScript',
    },
  },
  examples: [
    'pliant self-distance bracelet.safetensors --code Z.npy --out D.npy --gradients G.npy',
    'pliant self-distance bracelet.safetensors --code Z.npy --exact',
    'pliant self-distance bracelet.safetensors --code Z.npy --max-false-negatives 0.001 --touching T.npy',
  ],
  json: {
    count: 'number of codes',
    touching: 'number of codes that touch themselves: by the exact test where it was asked, else by the sign',
    outsideBox: 'number of codes outside the box that was trained; their distance is that of the nearest code in it',
    min: 'smallest learned distance [unit of the code], null without codes',
    max: 'largest learned distance [unit of the code], null without codes',
    seconds: 'time of the learned distances alone',
    exactTests: 'number of exact tests asked',
    exactSeconds: 'time of the exact tests, null without any',
    exact:
      'with --exact: { touching, agreement (share of codes whose sign is right), falseNegatives (share of touching codes called free), falsePositives (share of free codes called touching) }, else null',
    hybrid:
      'with --max-false-negatives: { maxFalseNegatives, tau (codes with a smaller distance were tested; null: all of them), exactShare (of these codes), bound (share of touching codes that is called free at most), measured: { tau, exactShare, accuracy, falseNegatives } when the file was evaluated, or null if all are tested }, else null',
    backend: 'what computed',
    fault: 'why its training marked the file as bad, or null',
    files: 'files written',
  },
  notes: [
    'Codes outside the box that was trained are answered as the nearest code in it; with --max-false-negatives they are tested exactly, each where it is.',
    'The promise of --max-false-negatives is about touching codes drawn as the file was evaluated, evenly from the box or around shapes and poses. When a file was evaluated, so many touching codes were seen and so many of them missed with each tau; taken is the least tau at which the share that is missed is below SHARE at a confidence of 95% (upper bound of Clopper and Pearson): none missed of 200 promises 1.5%, none of 3,000 promises 0.1%. Where no tau suffices, every code is tested exactly, and one line says so.',
  ].join('\n\n'),
  async run(call) {
    const { args } = call
    const [path] = args.operands
    const codePath = args.required('code')
    const bound = args.number('max-false-negatives', { lower: 0, upper: 1 })
    if (bound !== undefined && args.has('exact')) {
      throw new UsageError('self-distance: --exact tests every code, --max-false-negatives few; pass one of them.')
    }
    const outputs = ['out', 'gradients', 'touching'].flatMap((name) => args.text(name) ?? [])
    await checkWritable(outputs, [path, codePath])
    const { artifact, bytes } = await readTrained(path)
    const asking = commandOf(path, artifact, 'selfDistance')
    const promise = bound === undefined ? undefined : await promiseOf(path, asking.hybridOf(artifact), bound)
    if (promise?.warning !== undefined) call.progress.warn(promise.warning)
    const { size } = artifact.manifest.code
    const codes = await readCodes(codePath, size, path)
    const name = args.text('backend') as Backend | undefined
    const field = name === 'ort' ? await openExported(bytes, size) : await asking.open(artifact, { backend: name })

    const { count, data, precision } = codes
    const distances = makeFloats(precision, count)
    const gradients = args.has('gradients') ? makeFloats(precision, count * size) : undefined
    const start = performance.now()
    await inBatches(count, 'asking the network', call, (from, to) =>
      field.query(
        data.subarray(from * size, to * size),
        to - from,
        distances.subarray(from, to),
        gradients?.subarray(from * size, to * size),
      ),
    )
    const seconds = (performance.now() - start) / 1000

    const touching = Uint8Array.from(distances, (distance) => (distance < 0 ? 1 : 0))
    const learned = touching.slice()
    let [exactTests, exactSeconds]: [number, number | null] = [0, null]
    if (promise || args.has('exact')) {
      const { exactSelfContact } = await import('pliant/exact')
      const { HybridSelfContact } = await import('pliant/detect')
      const exact = call.unbroken(() => exactSelfContact(asking.shapeOf(artifact)))
      const asked = answered(artifact.manifest.code, distances)
      const hybrid = new HybridSelfContact(asked, exact, { tau: promise?.row?.tau ?? Infinity })
      const begun = performance.now()
      await inBatches(
        count,
        'testing codes exactly',
        call,
        (from, to) => hybrid.touches(data.subarray(from * size, to * size), to - from, touching.subarray(from, to)),
        EXACT_PIECE,
      )
      exactTests = hybrid.exactTests
      exactSeconds = (performance.now() - begun) / 1000
    }
    const { backend } = field
    await field.dispose()

    const files: OutputFile[] = []
    if (args.has('out')) files.push({ path: args.required('out'), bytes: npyBytes(distances, [count]) })
    if (gradients) files.push({ path: args.required('gradients'), bytes: npyBytes(gradients, [count, size]) })
    if (args.has('touching')) files.push({ path: args.required('touching'), bytes: npyBytes(touching, [count]) })
    await writeAllBeside(files)

    const [min, max] = rangeOf(distances)
    const summary = {
      count,
      touching: sumOf(touching),
      outsideBox: outsideBox(data, artifact.manifest.code),
      min,
      max,
      seconds,
      exactTests,
      exactSeconds,
      exact: args.has('exact') ? agreementOf(learned, touching) : null,
      hybrid: promise && {
        maxFalseNegatives: bound,
        tau: promise.row?.tau ?? null,
        exactShare: shareOf(exactTests, count),
        bound: promise.bound,
        measured: promise.row ?? null,
      },
    }
    return {
      json: {
        ...summary,
        hybrid: summary.hybrid ?? null,
        backend,
        fault: artifact.manifest.fault ?? null,
        files: outputs,
      },
      text: labelled(rowsOf(summary, backend, outputs)),
    }
  },
}

/** The very file that `pliant export` writes, run by onnxruntime-node. */
async function openExported(bytes: Uint8Array, codeSize: number): Promise<OrtCodeField & { backend: 'ort' }> {
  const { exportArtifactOnnx } = await import('@pliant/train')
  const { createOrtCodeField } = await import('pliant/ort')
  return { backend: 'ort', ...(await createOrtCodeField(await exportArtifactOnnx(bytes), codeSize)) }
}

/** A field that was asked before, for whoever asks it again for the same codes in the same order. */
function answered(
  { size, lower, upper }: { size: number; lower: readonly number[]; upper: readonly number[] },
  distances: Float32Array | Float64Array,
): BoxedConfigurationField {
  let from = 0
  return {
    codeSize: size,
    bounds: { lower, upper },
    query(_codes, count, out) {
      out.set(distances.subarray(from, from + count))
      from += count
    },
  }
}

interface Promised {
  /** What keeps it; undefined: only the exact test of all codes does. */
  row: HybridRow | undefined
  /** Share of touching codes that is called free at most. */
  bound: number
  warning?: string
}

/** @throws UsageError if the file was never measured */
async function promiseOf(path: string, quality: HybridQuality | undefined, asked: number): Promise<Promised> {
  if (!quality || quality.hybrid.length === 0) {
    throw new UsageError(`self-distance: ${path} was never evaluated, so nothing is known to promise; pass --exact.`)
  }
  const { chooseTau, falseNegativeBound } = await import('pliant/detect')
  const tau = chooseTau(quality, asked)
  const row = quality.hybrid.find((one) => one.tau === tau)
  if (row) return { row, bound: falseNegativeBound(quality, row) }
  const least = quality.hybrid.reduce((best, one) => Math.min(best, falseNegativeBound(quality, one)), 1)
  const touching = formatCount(Math.round(quality.codes * quality.touchingShare))
  return {
    row,
    bound: 0,
    warning: `--max-false-negatives is ${asked}, and the ${touching} touching codes that ${path} was evaluated on promise no less than ${formatNumber(least)}; every code is tested exactly`,
  }
}

interface Summary {
  count: number
  touching: number
  outsideBox: number
  min: number | null
  max: number | null
  seconds: number
  exactTests: number
  exactSeconds: number | null
  exact: Agreement | null
  hybrid: { tau: number | null; exactShare: number; bound: number } | undefined
}

interface Agreement {
  touching: number
  agreement: number
  falseNegatives: number
  falsePositives: number
}

function rowsOf(summary: Summary, backend: string, outputs: readonly string[]): [string, string][] {
  const { count, touching, min, max, seconds, exactTests, exactSeconds, exact, hybrid } = summary
  const percent = (share: number): string => `${formatNumber(100 * share)}%`
  const each = (time: number, of: number): string => (of > 0 ? ` (${formatNumber((1e6 * time) / of)} us per code)` : '')
  const rows: [string, string][] = [
    ['codes', `${formatCount(count)}, ${formatCount(touching)} of them touching themselves`],
    ['distance', min === null || max === null ? 'no codes' : `${formatNumber(min)} to ${formatNumber(max)}`],
    ['time', `${formatSeconds(seconds)}${each(seconds, count)}`],
  ]
  if (summary.outsideBox > 0) {
    rows.push(['outside', `${formatCount(summary.outsideBox)} outside the box that was trained, answered as on it`])
  }
  if (exactSeconds !== null) {
    rows.push([
      'exact',
      `${formatCount(exactTests)} tests, ${formatSeconds(exactSeconds)}${each(exactSeconds, exactTests)}`,
    ])
  }
  if (exact) {
    rows.push([
      'agreement',
      `${percent(exact.agreement)}; touching called free ${percent(exact.falseNegatives)}, free called touching ${percent(exact.falsePositives)}`,
    ])
  }
  if (hybrid) {
    rows.push([
      'hybrid',
      hybrid.tau === null
        ? 'every code tested exactly'
        : `tested exactly below ${formatNumber(hybrid.tau)}: ${percent(hybrid.exactShare)} of the codes; touching called free at most ${percent(hybrid.bound)}`,
    ])
  }
  rows.push(['backend', backend])
  if (outputs.length > 0) rows.push(['written', outputs.join(', ')])
  return rows
}

function agreementOf(learned: Uint8Array, exact: Uint8Array): Agreement {
  let [missed, alarms] = [0, 0]
  for (let i = 0; i < exact.length; i++) {
    if (learned[i] === exact[i]) continue
    if (exact[i] === 1) missed++
    else alarms++
  }
  const touching = sumOf(exact)
  return {
    touching,
    agreement: 1 - shareOf(missed + alarms, exact.length),
    falseNegatives: shareOf(missed, touching),
    falsePositives: shareOf(alarms, exact.length - touching),
  }
}

function sumOf(values: Uint8Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}

function rangeOf(values: ArrayLike<number>): [number, number] | [null, null] {
  if (values.length === 0) return [null, null]
  let [min, max] = [Infinity, -Infinity]
  for (let i = 0; i < values.length; i++) {
    min = Math.min(min, values[i])
    max = Math.max(max, values[i])
  }
  return [min, max]
}
