declare module 'virtual:built-assets' {
  import type { Manifest } from 'vite'
  export const manifest: Manifest
  /** The browser build's style sheet. */
  export const styles: string
  /** Another one as soon as one of the program's files is. */
  export const version: string
}
