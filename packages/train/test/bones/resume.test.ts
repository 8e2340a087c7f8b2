import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
// The built package: labelling workers are files of it.
import { decodeSafetensors } from 'pliant/unstable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trainRig } from './train-rig.js'
import { tubeCharacter } from './tube-character.js'

const { character, train, unseen } = tubeCharacter({ rings: 12, around: 8 })
const { skeleton, surface, height } = character
const rig = { skeleton, surface, clips: train, height }
const small = {
  name: 'tube',
  heldOut: [unseen],
  poses: 4,
  pointsPerPose: 100,
  steps: 40,
  resolution: 8,
  // Steps are cheap: it is about where they go on.
  network: { nearest: 1, hidden: 4, coefficients: 2, codeHidden: 2, warp: { resolution: 3, features: 1 } },
  evaluation: { poses: 1, points: 50 },
}
const folder = mkdtempSync(join(tmpdir(), 'pliant-resume-'))
const checkpointPath = join(folder, 'tube.checkpoint')
afterAll(() => rmSync(folder, { recursive: true }))

describe("a character's training", () => {
  let whole: Uint8Array
  beforeAll(async () => {
    whole = (await trainRig(rig, small)).artifact
  })

  it('aborted and resumed gives the bytes of an unbroken run', async () => {
    const controller = new AbortController()
    const broken = trainRig(rig, {
      ...small,
      checkpointPath,
      signal: controller.signal,
      onProgress: ({ detail }) => {
        if (detail.startsWith('step 20/')) controller.abort()
      },
    })
    await expect(broken).rejects.toThrow('abort')
    const { bytes, firstStep } = await resume()
    // Not again what was done; a slow machine has a word between.
    expect(Number(/^step (\d+)\//.exec(firstStep)?.[1])).toBeGreaterThan(20)
    expect(bytes).toEqual(whole)
  })

  it('killed and resumed gives the bytes of an unbroken run', async () => {
    rmSync(checkpointPath, { force: true })
    await killInTheMiddle()
    const { metadata } = decodeSafetensors(readFileSync(checkpointPath))
    expect(JSON.parse(metadata['run']).step).toBeGreaterThanOrEqual(19)
    expect((await resume()).bytes).toEqual(whole)
  })

  it('refuses the checkpoint of another seed, other clips and other options, and one that is damaged', async () => {
    const again = (more: object) => trainRig(rig, { ...small, checkpointPath, resume: true, ...more })
    const others = [{ seed: 2 }, { clips: [unseen] }, { steps: 41 }, { pointsPerPose: 101 }, { poses: 5 }]
    for (const other of others) await expect(again(other)).rejects.toThrow('resume: ')
    const half = readFileSync(checkpointPath).subarray(0, 1000)
    writeFileSync(checkpointPath, half)
    await expect(again({})).rejects.toThrow('is no whole checkpoint')
  })

  it('takes fewer steps in a short time, and says how many', async () => {
    const budgeted = await trainRig(rig, { ...small, steps: 1_000_000, budgetMinutes: 0.02 })
    expect(budgeted.steps).toBeGreaterThanOrEqual(40)
    expect(budgeted.steps).toBeLessThan(10_000)
  })
})

async function resume(): Promise<{ bytes: Uint8Array; firstStep: string }> {
  let firstStep = ''
  const { artifact: bytes } = await trainRig(rig, {
    ...small,
    checkpointPath,
    resume: true,
    onProgress: ({ stage, detail }) => {
      if (stage === 'learn' && !firstStep) firstStep = detail
    },
  })
  return { bytes, firstStep }
}

/** The same run in a process of its own that saves itself at every step, killed once it is past twenty. */
function killInTheMiddle(): Promise<void> {
  const { names, parents, root, rest } = skeleton
  const input = { skeleton: { names, parents, root, rest }, surface, height, train, options: small, checkpointPath }
  writeFileSync(join(folder, 'input'), serialize(input))
  // No module: its worker threads would be given this script's kind of input too.
  const script = `(async () => {
    const { deserialize } = await import('node:v8')
    const { characterToTrain, readSpec, train: run } = await import('@pliant/train/unstable')
    const { Skeleton } = await import('pliant/character')
    const input = deserialize(require('node:fs').readFileSync(process.argv[1]))
    const { skeleton, surface, height, train, options, checkpointPath } = input
    const rig = { skeleton: new Skeleton(skeleton), surface, height, clips: train }
    const onProgress = ({ detail }) => console.log(detail)
    const { heldOut, resolution, network, ...said } = options
    const spec = readSpec(JSON.stringify({ model: { rig: 'tube.glb' }, ...said }))
    const subject = characterToTrain(spec, { rig, clips: train, heldOut, resolution, network })
    await run(spec, { subject, checkpointPath, checkpointSeconds: 0, onProgress })
  })()`
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const child = spawn(process.execPath, ['-e', script, join(folder, 'input')], { cwd })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
    if (printed.includes('step 20/')) child.kill('SIGKILL')
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('close', (_, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error(complaint))))
  })
}
