/**
 * A body that is driven by modal weights, as a three.js geometry that knows how near it is to touching itself, and can be
 * moved out of it. What drives it (sliders, a game, a simulation) sets its code.
 */
import { BufferAttribute, BufferGeometry } from 'three'
import { decode } from '../artifact/artifact.js'
import type { SelfContactArtifact, SelfContactManifest } from '../artifact/kinds/self-contact.js'
import { load } from '../artifact/load.js'
import { type FileSource, readSource } from '../artifact/source.js'
import { HybridSelfContact } from '../detect/hybrid-self-contact.js'
import type { ExactTest } from '../field/configuration-field.js'
import type { SelfContactField } from '../learned/self-contact.js'
import { requireNumbers } from '../math/require.js'
import type { LinearModes } from '../model/linear-modes.js'
import type { NetworkOptions } from '../net/create-network.js'
import { type RepairOptions, type RepairReport, repairCode } from '../respond/repair/repair-code.js'

/** What decides where the learned field is not to be believed. */
export interface SelfContactOptions {
  /** Makes an exact test of the body's surface, such as `exactSelfContact` of pliant/exact; left out, the field decides. */
  exact?: (model: LinearModes) => ExactTest
  /**
   * The exact test is asked only where the distance is smaller than this, in the unit of the code; left out, always.
   * `chooseTau` of pliant/detect finds one that keeps a promise.
   */
  tau?: number
}

/** How to load one: backend, threads, what stops a download, and what decides. */
export interface LoadSelfContactOptions extends NetworkOptions, SelfContactOptions {
  /** Stops a download. */
  signal?: AbortSignal
}

/**
 * Loads a body with what tells its self-contact.
 * @param source  a file of kind 'self-contact': its address or its bytes
 * @throws Error in one line if the download fails, the bytes are damaged, or they are of another kind
 */
export async function loadSelfContact(
  source: FileSource,
  { signal, exact, tau, ...options }: LoadSelfContactOptions = {},
): Promise<SelfContact> {
  const artifact = await decode(await readSource(source, signal), 'self-contact')
  return new SelfContact(artifact, await load(artifact, options), { exact, tau })
}

/** A body that is driven by modal weights, and knows how near it is to touching itself. */
export class SelfContact {
  /** What the file says of itself: name, names and box of the code, quality. */
  readonly manifest: SelfContactManifest
  /** The surface at the present code [m]: positions, normals and triangles, for a mesh of yours. */
  readonly geometry = new BufferGeometry()
  /** The learned field over codes. */
  readonly field: SelfContactField
  readonly #code: Float64Array
  readonly #model: LinearModes
  readonly #exact: ExactTest | undefined
  readonly #hybrid: HybridSelfContact | undefined
  readonly #positions: BufferAttribute
  /** Of the present code, once they were asked for. */
  #distance: number | undefined
  #isTouching: boolean | undefined

  /** Made by `loadSelfContact`, or of what `decode` and `load` give. It stands at rest. */
  constructor(
    { manifest, model }: Pick<SelfContactArtifact, 'manifest' | 'model'>,
    field: SelfContactField,
    { exact, tau = Infinity }: SelfContactOptions = {},
  ) {
    this.manifest = manifest
    this.field = field
    this.#model = model
    this.#exact = exact?.(model)
    this.#hybrid = this.#exact && new HybridSelfContact(field, this.#exact, { tau })
    this.#code = new Float64Array(model.codeSize)
    this.#positions = new BufferAttribute(new Float32Array(3 * model.vertexCount), 3)
    this.geometry.setAttribute('position', this.#positions)
    this.geometry.setIndex(new BufferAttribute(model.triangles, 1))
    this.setCode(this.#code)
  }

  /** The present code: a copy. */
  get code(): Float64Array {
    return this.#code.slice()
  }

  /**
   * Bends the body: positions, normals and bounds of the geometry follow.
   * @param code  as many numbers as there are modes; `manifest.code` has their names and range
   * @throws RangeError if there are more or fewer, or one is not finite; the body then stays as it was
   */
  setCode(code: ArrayLike<number>): void {
    requireNumbers('self-contact', code, 'code value', this.#code.length)
    this.#code.set(code)
    this.#distance = undefined
    this.#isTouching = undefined
    this.#model.positions(this.#code, this.#positions.array as Float32Array)
    this.#positions.needsUpdate = true
    this.geometry.computeVertexNormals()
    this.geometry.computeBoundingSphere()
    this.geometry.computeBoundingBox()
  }

  /**
   * Learned distance to the nearest shape that touches itself, in the unit of the code; negative where this one does. A
   * code outside the box of `manifest.code` is answered as the nearest one of the box.
   */
  get distance(): number {
    if (this.#distance === undefined) {
      const out = new Float64Array(1)
      this.field.query(this.#code, 1, out)
      this.#distance = out[0]
    }
    return this.#distance
  }

  /** Whether the body touches itself: by the exact test where one was given and is asked, else by the field. */
  get isTouching(): boolean {
    if (this.#isTouching === undefined) {
      const out = new Uint8Array(1)
      this.#hybrid?.touches(this.#code, 1, out)
      this.#isTouching = this.#hybrid ? out[0] === 1 : this.distance < 0
    }
    return this.#isTouching
  }

  /**
   * Moves the code to the nearest free one, and the body with it; one that is free stays.
   * @throws RangeError if an option is out of its range
   */
  repair(options: RepairOptions = {}): RepairReport {
    const code = this.#code.slice()
    const report = repairCode(this.field, this.#exact, code, options, code)
    this.setCode(code)
    return report
  }

  /** Frees the geometry, and ends helper threads, if any. */
  dispose(): void {
    this.geometry.dispose()
    this.field.dispose()
  }
}
