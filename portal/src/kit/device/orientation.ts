/** On a mobile device the page says how it is held: the class `portrait` or `landscape`. */
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
