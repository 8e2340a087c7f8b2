/** The code that does what the page shows, as a developer would write it. */
export const HAPTICS_CODE = `
import { decodeArtifact, loadField } from 'pliant'
import { ElasticField } from 'pliant/respond'
import { FemBody } from 'pliant/sim'

// Once: npx pliant train bunny --out bunny.safetensors
const { body } = decodeArtifact(bytes)
const soft = new FemBody(body.mesh, { material: { young: 2000, poisson: 0.4 } }) // or whatever moves these nodes
const field = new ElasticField(body.modal, await loadField(bytes))

// Every step:
soft.step(1 / 60)
field.follow(soft.positions) // wherever the body is, however it bends
field.gradient(points, count, distances, normals) // world space; negative inside
`
