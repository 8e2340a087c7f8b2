/** Whether the page is used with fingers rather than with a mouse. */
export function onTouch(): boolean {
  return matchMedia('(pointer: coarse)').matches
}
