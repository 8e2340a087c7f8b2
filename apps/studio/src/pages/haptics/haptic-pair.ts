/** What is opened, as the worker holds it: a trained body, and a tool with or without a network of its own. */
import { type BodyMaterial, type BodyOfModes, boxOfPoints, decode, type ElasticField, load, type TetMesh } from 'pliant'
import { readMeshFile } from 'pliant/files'
import { boxDiagonal, expectKind, looksLikeSafetensors } from 'pliant/unstable'
import type { NamedBytes } from './haptics-protocol.js'

export interface LearnedBody {
  readonly body: BodyOfModes
  readonly field: ElasticField
}

export interface HapticPair extends LearnedBody {
  readonly name: string
  /** What the body was made of when it was trained. */
  readonly material: BodyMaterial
  /** At rest, in its own frame: fingers along -Z, held at the other end. */
  readonly tool: TetMesh
  readonly toolLearned: LearnedBody | undefined
  dispose(): void
}

/** A tool this many times smaller or larger than the body is scaled to its size: bodies come in all units. */
const MOST_UNLIKE = 2.5

/** @throws Error in one line if one of them cannot be simulated or asked */
export async function openPair(bodyFile: NamedBytes, toolFile: NamedBytes): Promise<HapticPair> {
  const opened = await openElastic(bodyFile)
  try {
    const tool = looksLikeSafetensors(toolFile.bytes) ? await openElastic(toolFile) : undefined
    const mesh = tool ? tool.body.mesh : await readTool(toolFile)
    const scale = sizeOf(opened.body.mesh) / sizeOf(mesh)
    const fits = scale < MOST_UNLIKE && scale > 1 / MOST_UNLIKE
    // Its network knows the tool in one size only.
    if (!fits) tool?.field.dispose()
    return {
      ...opened,
      tool: fits ? mesh : { ...mesh, positions: mesh.positions.map((value) => scale * value) },
      toolLearned: fits ? tool : undefined,
      dispose() {
        opened.field.dispose()
        if (fits) tool?.field.dispose()
      },
    }
  } catch (error) {
    opened.field.dispose()
    throw error
  }
}

async function openElastic({ name, bytes }: NamedBytes): Promise<LearnedBody & Pick<HapticPair, 'name' | 'material'>> {
  const refusal = `haptics: ${name} has no tetrahedra to simulate; train an elastic body, as \`pliant train bunny\`.`
  const artifact = expectKind(await decode(bytes), 'elastic-body', () => new Error(refusal))
  const { body, manifest } = artifact
  return {
    name: manifest.name,
    material: manifest.model.material,
    body,
    field: await load(artifact),
  }
}

async function readTool({ name, bytes }: NamedBytes): Promise<TetMesh> {
  const file = await readMeshFile(name, bytes)
  if (file.kind !== 'tetrahedra') throw new Error(`haptics: ${name} is a surface; a tool needs tetrahedra.`)
  return file.mesh
}

function sizeOf({ positions }: TetMesh): number {
  return boxDiagonal(boxOfPoints(positions))
}
