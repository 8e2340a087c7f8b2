/** What a file is, by its content first and its name second. */
import { looksLikeGlb } from './gltf-container.js'
import { looksLikeGmsh } from './gmsh.js'
import { looksLikeMedit } from './medit.js'
import { looksLikeNpy } from './npy.js'
import { looksLikeObj } from './obj.js'
import { looksLikeOff } from './off.js'
import { looksLikeStl } from './stl.js'

/** A file format of meshes. */
export type MeshFormat = 'obj' | 'ply' | 'stl' | 'off' | 'gltf' | 'medit' | 'gmsh' | 'tetgen'

/** Formats by the endings of their names. */
const FORMAT_OF_ENDING: Record<string, MeshFormat> = {
  obj: 'obj',
  ply: 'ply',
  stl: 'stl',
  off: 'off',
  glb: 'gltf',
  gltf: 'gltf',
  mesh: 'medit',
  meshb: 'medit',
  msh: 'gmsh',
  node: 'tetgen',
  ele: 'tetgen',
}

/** Files that people hand over by mistake, by their first bytes. */
const STRANGERS: readonly [name: string, magic: string, offset?: number][] = [
  ['a PNG picture', '\x89PNG'],
  ['a JPEG picture', '\xff\xd8\xff'],
  ['a GIF picture', 'GIF8'],
  ['a WebP picture', 'WEBP', 8],
  ['a ZIP archive (or .npz, .3mf, .usdz)', 'PK\x03\x04'],
  ['a gzip archive', '\x1f\x8b'],
  ['a PDF document', '%PDF'],
  ['an FBX scene', 'Kaydara FBX'],
  ['a Blender file', 'BLENDER'],
  ['an HDF5 file', '\x89HDF'],
  ['a USD file', 'PXR-USDC'],
  ['a VTK file', '# vtk'],
  ['a WebAssembly module', '\0asm'],
  ['an ELF program', '\x7fELF'],
  ['an XML or HTML document', '<'],
]

/** The format whose signature the content bears, or undefined where it has none. */
export function formatOfContent(bytes: Uint8Array): MeshFormat | undefined {
  if (looksLikeGlb(bytes) || looksLikeGltfText(bytes)) return 'gltf'
  if (/^ply[\s]/.test(latin(bytes, 0, 4))) return 'ply'
  if (looksLikeGmsh(bytes)) return 'gmsh'
  if (looksLikeMedit(bytes)) return 'medit'
  if (looksLikeOff(bytes)) return 'off'
  if (looksLikeStl(bytes)) return 'stl'
  if (looksLikeObj(bytes)) return 'obj'
  return undefined
}

export function formatOfName(name: string): MeshFormat | undefined {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1].toLowerCase() ?? ''
  return Object.hasOwn(FORMAT_OF_ENDING, ending) ? FORMAT_OF_ENDING[ending] : undefined
}

/** In words, what a file seems to be that is none of ours; undefined if nothing comes to mind. */
export function nameStranger(bytes: Uint8Array): string | undefined {
  if (looksLikeNpy(bytes)) return 'an array (.npy)'
  if (looksLikeSafetensors(bytes)) return 'a trained object (.safetensors)'
  for (const [name, magic, offset = 0] of STRANGERS) {
    if (latin(bytes, offset, offset + magic.length) === magic) return name
  }
  const start = latin(bytes, 0, 64)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  if (start.startsWith('<')) return 'an XML or HTML document'
  if (start.startsWith('{') || start.startsWith('[')) return 'JSON that is not glTF'
  if (start === '' && bytes.length <= 64) return 'blank'
  return undefined
}

/** Eight bytes with the length of the JSON that follows them. */
function looksLikeSafetensors(bytes: Uint8Array): boolean {
  if (bytes.length < 10 || bytes[8] !== 0x7b) return false
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
  return length >= 2 && length <= 100_000_000
}

/** JSON with an asset and the arrays that only glTF has; cheap enough on the first kilobytes and the whole alike. */
function looksLikeGltfText(bytes: Uint8Array): boolean {
  const text = latin(bytes, 0, 256)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  if (!text.startsWith('{')) return false
  return /"asset"\s*:\s*\{/.test(latin(bytes, 0, bytes.length))
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder('latin1').decode(bytes.subarray(start, end))
}
