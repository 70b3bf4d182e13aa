declare module 'virtual:icons/*' {
  /** A Phosphor icon by its name in the set; the build fails when there is none of that name. */
  const Drawing: import('./Icon.tsx').Icon
  export default Drawing
}
