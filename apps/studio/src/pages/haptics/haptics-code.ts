/** The code that does what the page shows, as a developer would write it. */
export const HAPTICS_CODE = `
import { decodeArtifact, loadElasticField } from 'pliant'
import { FemBody } from 'pliant/sim'

// Once: npx pliant train bunny --out bunny.safetensors
const { body } = decodeArtifact(bytes)
const soft = new FemBody(body.mesh, { material: { young: 2000, poisson: 0.4 } }) // or whatever moves these nodes
const field = await loadElasticField(bytes)

// Every step:
soft.step(1 / 60)
field.update({ nodes: soft.positions }) // wherever the body is, however it bends
field.query(points, count, distances, normals) // world space; negative inside
`
