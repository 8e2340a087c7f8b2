/** One dance, three times side by side: the skirt collides with nothing, with the learned field, with the triangles. */
import { applyPalette, GIFEncoder, quantize } from 'gifenc'
import { ClothScene } from '../../apps/studio/src/pages/cloth/cloth-scene.ts'
import { DressedStage } from '../../apps/studio/src/pages/cloth/dressed-stage.ts'
import { openBody } from '../../apps/studio/src/pages/cloth/worn-body.ts'

const PANELS = [
  ['none', 'no collision', '#f0876f'],
  ['learned', 'learned collision', '#7fd49a'],
  ['exact', 'exact triangles', '#9cb8d6'],
]
const PANEL = { width: 232, height: 316, gap: 4, caption: 46 }
const CLIP = 'dance'
/** Simulated frames before the first that is recorded: the skirt falls from where it was fitted. */
const SETTLE = 90
/** Recorded frames, steps of 1/60 s between two, and how long each is shown [ms]. */
const FRAMES = 44
const STEPS = 5
const DELAY = 80
const COLOURS = 95
const INK = '#dfe5ec'
const BACKGROUND = '#12161c'

const files = new URL('../../apps/studio/public/artifacts/', import.meta.url)
const bytesOf = async (name) => new Uint8Array(await (await fetch(new URL(name, files))).arrayBuffer())
const [collider, rig] = await Promise.all(['humanoid.safetensors', 'humanoid.glb'].map(bytesOf))

const canvas = document.querySelector('#picture')
canvas.width = PANELS.length * PANEL.width + (PANELS.length - 1) * PANEL.gap
canvas.height = PANEL.height + PANEL.caption
const context = canvas.getContext('2d', { willReadFrequently: true })

const panels = await Promise.all(
  PANELS.map(async ([collision, title, colour]) => {
    const stage = new DressedStage(await openBody(collider, rig), { collision, clip: CLIP, garment: 'skirt', wind: 1 })
    const scene = new ClothScene(() => {})
    document.body.append(scene.view.root)
    scene.open(stage.opened)
    return { stage, scene, title, colour, height: stage.opened.height, deepest: 0 }
  }),
)
// Until the views have taken their size.
await new Promise((resolve) => setTimeout(resolve, 200))
for (const { scene } of panels) {
  const { camera } = scene.view
  // Room for raised arms.
  camera.zoom = 0.86
  camera.updateProjectionMatrix()
}

for (const panel of panels) {
  for (let step = 0; step < SETTLE; step += STEPS) panel.frame = show(panel)
}
const pictures = []
for (let frame = 0; frame < FRAMES; frame++) {
  for (const panel of panels) {
    panel.frame = show(panel)
    panel.deepest = Math.max(panel.deepest, panel.frame.penetration.deepest * panel.height)
  }
  compose()
  pictures.push(context.getImageData(0, 0, canvas.width, canvas.height).data)
}
window.recorded = {
  base64: base64Of(encode(pictures)),
  frames: FRAMES,
  report: panels.map(({ title, deepest }) => `${title}: inside by ${(100 * deepest).toFixed(1)} cm at most`).join('\n'),
}

function show({ stage, scene }) {
  const frame = stage.advance(STEPS, undefined, undefined)
  scene.draw(frame, STEPS / 60)
  return frame
}

/** In the same task as the drawing: a WebGL canvas is empty after it. */
function compose() {
  context.fillStyle = BACKGROUND
  context.fillRect(0, 0, canvas.width, canvas.height)
  panels.forEach(({ scene, title, colour, frame, height }, i) => {
    const x = i * (PANEL.width + PANEL.gap)
    scene.view.render()
    context.drawImage(scene.view.canvas, x, 0, PANEL.width, PANEL.height)
    context.textAlign = 'center'
    context.font = '600 15px system-ui, sans-serif'
    context.fillStyle = colour
    context.fillText(title, x + PANEL.width / 2, PANEL.height + 18)
    context.font = '12px system-ui, sans-serif'
    context.fillStyle = INK
    const depth = 100 * frame.penetration.deepest * height
    context.fillText(`${depth.toFixed(1)} cm inside the body`, x + PANEL.width / 2, PANEL.height + 36)
  })
}

/** One palette for all frames; pixels that stay as they were are transparent, and cost next to nothing. */
function encode(frames) {
  const some = frames.filter((_, i) => i % 8 === 0)
  const sample = new Uint8ClampedArray(some.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const one of some) {
    sample.set(one, at)
    at += one.length
  }
  const colours = quantize(sample, COLOURS, { format: 'rgb565' })
  const palette = [...colours, [0, 0, 0]]
  const transparentIndex = colours.length
  const gif = GIFEncoder()
  let before
  for (const rgba of frames) {
    const indices = applyPalette(rgba, colours, 'rgb565')
    const changed = before ? indices.map((index, i) => (index === before[i] ? transparentIndex : index)) : indices
    gif.writeFrame(changed, canvas.width, canvas.height, {
      palette: before ? undefined : palette,
      delay: DELAY,
      transparent: before !== undefined,
      transparentIndex,
      dispose: 1,
    })
    before = indices
  }
  gif.finish()
  return gif.bytes()
}

function base64Of(bytes) {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
