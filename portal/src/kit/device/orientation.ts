/**
 * On a mobile device, sets the class `portrait` or `landscape` on the page (specification, section
 * 2).
 */
export function followOrientation(): void {
  if (!matchMedia('(pointer: coarse)').matches) return
  const upright = matchMedia('(orientation: portrait)')
  const show = (): void => {
    document.documentElement.classList.toggle('portrait', upright.matches)
    document.documentElement.classList.toggle('landscape', !upright.matches)
  }
  upright.addEventListener('change', show)
  show()
}
