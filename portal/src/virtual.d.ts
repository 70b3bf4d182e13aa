declare module 'virtual:built-assets' {
  import type { Manifest } from 'vite'
  const manifest: Manifest
  export default manifest
}
