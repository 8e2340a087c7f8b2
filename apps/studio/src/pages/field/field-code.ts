/** The code that does what the page shows, as a developer would write it. */
export const FIELD_CODE = `
import { load } from 'pliant'

// Once: npx pliant train bar --out bar.safetensors
const field = await load('bar.safetensors') // SIMD WebAssembly, assembled in memory
const points = new Float32Array([0.1, 0.06, 0, 0.3, 0.05, 0.02]) // xyz triples, metres
const distances = new Float32Array(2)
const gradients = new Float32Array(6)

field.update({ code: [0.5, -0.2, 0.8] }) // bend, sway, twist: once per frame
field.query(points, 2, distances, gradients) // negative inside; gradients point outward
`
