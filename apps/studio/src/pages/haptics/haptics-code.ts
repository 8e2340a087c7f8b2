/** The code that does what the page shows, as a developer would write it. */
export const HAPTICS_CODE = `
import { decode, load } from 'pliant'
import { FemBody } from 'pliant/sim'

// Once: npx pliant train bunny --out bunny.safetensors
const bunny = await decode(bytes, 'elastic-body')
const soft = new FemBody(bunny.body.mesh, { material: { young: 2000, poisson: 0.4 } }) // or whatever moves these nodes
const field = await load(bunny)

// Every step:
soft.step(1 / 60)
field.update({ nodes: soft.positions }) // wherever the body is, however it bends
field.query(points, count, distances, normals) // world space; negative inside
`
