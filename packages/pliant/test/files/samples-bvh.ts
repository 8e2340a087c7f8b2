/** A motion of four joints and three frames. */
export function bvhText(order = 'Zrotation Yrotation Xrotation', spine = '10 20 30'): string {
  return `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition ${order}
  JOINT Spine
  {
    OFFSET 0 2 0
    CHANNELS 3 ${order}
    JOINT Arm Left
    {
      OFFSET 1 1 0
      CHANNELS 3 ${order}
      End Site
      {
        OFFSET 1 0 0
      }
    }
  }
  JOINT Leg
  {
    OFFSET 0.5 -1 0
    CHANNELS 3 ${order}
    End Site
    {
      OFFSET 0 -3 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
1 10 2 5 6 7 ${spine} -40 50 60 70 -80 15
2 10 3 15 26 37 11 21 31 -41 51 61 71 -81 16
3 10 4 25 36 47 12 22 32 -42 52 62 72 -82 17
`
}
