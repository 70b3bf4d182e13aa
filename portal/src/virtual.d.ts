declare module 'virtual:built-assets' {
  import type { Manifest } from 'vite'
  export const manifest: Manifest
  /** The browser build's style sheet. */
  export const styles: string
}
