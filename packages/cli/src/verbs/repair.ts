/** `pliant repair`: codes or motions whose shapes touch themselves, moved to the nearest ones that do not, checked exactly. */
import { UsageError } from '../errors.js'
import { MOTION_OPTIONS } from '../motions.js'
import { repairCodes } from '../repair-codes.js'
import { repairMotions } from '../repair-motion.js'
import type { Verb } from '../verb.js'

export const repair: Verb = {
  name: 'repair',
  summary:
    'moves codes, or the frames of a motion, to the nearest whose shapes do not touch themselves, and checks each exactly',
  operands: [
    { name: 'FILE', help: 'a trained artifact of a body, a character or shapes of a mesh, with self-contact' },
  ],
  options: {
    code: {
      value: 'Z.npy',
      help: "codes, shape [n, c], or [c] of one; 'pliant inspect FILE' says what they mean",
    },
    target: {
      value: 'V=X,Y,Z',
      help: 'vertices and where they should be, as 123=0.1,0.2,0.3 [m], several separated by semicolons or by --target again: of all free codes those that bring them nearest, as near to --code as that leaves room for; without --code one that begins at rest. Vertices are numbered from 0 and places are in the frame of --mesh, of a character that of its root',
      joinedBy: ';',
    },
    motion: {
      value: 'FILES',
      help: 'a character only, in place of --code: recorded clips, comma-separated: .bvh, or glTF files with animations; joints are found by name and place in the body',
    },
    out: {
      value: 'FILE',
      help: 'receives the repaired codes, of the same shape and precision; or the repaired clips, as .glb or .bvh',
      required: true,
    },
    mesh: {
      value: 'OUT.obj',
      help: 'receives the shape at the repaired code, as .obj, .ply or .stl with a comment that says whether it is free; of several codes OUT-1.obj, OUT-2.obj ...',
    },
    margin: {
      value: 'M',
      help: 'what repaired shapes keep from self-contact by the learned field: of codes in their unit (default 0.01), of motions in metres (default 0.004)',
    },
    clip: { value: 'NAME', help: 'of --motion: only this clip' },
    keep: {
      value: 'JOINTS',
      help: 'of --motion: joints that stay where the recording has them, comma-separated, such as feet on the ground',
    },
    into: {
      value: 'GLB',
      help: 'of --motion: the GLB of the character, to which the clips are added with all else as it is; without it --out has a plain body',
    },
    ...MOTION_OPTIONS,
  },
  examples: [
    'pliant repair bracelet.safetensors --code Z.npy --out Z2.npy',
    'pliant repair bracelet.safetensors --code Z.npy --out Z2.npy --margin 0.05 --json',
    'pliant repair bracelet.safetensors --target 123=0.02,0.01,0.005 --out Z2.npy --mesh reached.obj',
    'pliant repair hero.safetensors --motion mocap.bvh --into hero.glb --out clean.glb --keep LeftFoot,RightFoot',
  ],
  json: {
    count: 'number of codes',
    touching: 'number of codes that touched themselves, exactly, once they were put into the box',
    outsideBox: 'number of codes outside the box that was trained, which were put onto it first',
    freed: 'number of touching codes that are free now, exactly',
    free: 'for each code whether it is free now, exactly',
    moved:
      'of the codes that were moved: { codes, mean, max }, how far [unit of the code]; the way into the box counts',
    margin: 'that was kept',
    exactTests: 'number of exact tests asked',
    seconds: 'time taken',
    targets:
      'with --target: for each { vertex, place: where it should be [m], distances: for each code how far from there it is now [m] }',
    motions:
      'with --motion, in place of all above: for each clip { file, clip, seconds, share, matched, atRest, unused, reference, frames, rate, touching, stillTouching, newlyTouching (counts of frames), touchingFrames (those left), spans: { from, to }[] that were changed [s], parts: joints of the parts that ran into each other, change: { mean, max } of joint angles [degrees], jerk: { before, after } of joint angles [degrees / s^3], workSeconds }',
    fault: 'why its training marked the file as bad, or null',
    files: 'files written',
  },
  notes: [
    'A code that is free already stays as it is, however near to contact, unless there is a --target; one outside the box is put onto it first. What could not be freed is written as it was, in its box, and the exit code is 1.',
    'Of a motion, frames that run into themselves are changed, and those shortly before and after, so that changes come and go smoothly; all others stay as they are, and so does whatever moves the root. Contact that a character has anyway does not count: bones that are joined, skin that is near along the surface, clothes on skin (`pliant inspect FILE` says by how much). Frames that could not be freed are told, and the exit code is 1.',
  ].join('\n\n'),
  async run(call) {
    const { args } = call
    const [hasCodes, hasMotion] = [args.has('code') || args.has('target'), args.has('motion')]
    if (hasMotion === hasCodes) {
      throw new UsageError(
        'repair: pass --code with codes, --target with places of vertices, or both; or --motion with recorded clips.',
      )
    }
    const others = hasMotion ? ['mesh'] : ['clip', 'keep', 'into', ...Object.keys(MOTION_OPTIONS)]
    const foreign = others.find((name) => args.has(name))
    if (foreign !== undefined) {
      throw new UsageError(
        `repair: --${foreign} is for ${hasMotion ? '--code and --target' : '--motion'}; leave it out.`,
      )
    }
    return hasMotion ? repairMotions(call) : repairCodes(call)
  },
}
