/** The smallest page that asks a trained object: choose an artifact, read the distance at the middle of its box. */
import { decode, load } from 'pliant'

const input = document.querySelector('#file')
const answer = document.querySelector('#answer')

input.addEventListener('change', async () => {
  try {
    const artifact = await decode(new Uint8Array(await input.files[0].arrayBuffer()))
    const { name, networks } = artifact.manifest
    const { domain } = networks.distance
    const field = await load(artifact)
    const middle = domain.lower.map((low, axis) => (low + domain.upper[axis]) / 2)
    const distance = new Float32Array(1)
    const gradient = new Float32Array(3)
    field.query(Float32Array.from(middle), 1, distance, gradient)
    answer.textContent = `${name}: ${distance[0].toFixed(4)} m at (${middle.map((x) => x.toFixed(3)).join(', ')})`
    field.dispose()
  } catch (error) {
    answer.textContent = error.message
  }
})
