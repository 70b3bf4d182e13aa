import type { BarcodeDetector as Detector } from 'barcode-detector/ponyfill'

// Browser APIs that TypeScript's DOM library does not describe yet.
declare global {
  /** Chromium on Android and macOS has it, and Safari behind a flag. */
  // oxlint-disable-next-line no-var -- only a var is a property of the global object
  var BarcodeDetector: typeof Detector | undefined
  // oxlint-disable-next-line no-var -- only a var is a property of the global object
  var trustedTypes:
    | {
        createPolicy: (
          name: string,
          rules: { createScriptURL: (url: string) => string },
        ) => {
          /** The result is not a string, but every API that takes a script URL accepts it. */
          createScriptURL: (url: string) => string
        }
      }
    | undefined
  interface MediaTrackCapabilities {
    torch?: boolean
  }
  interface MediaTrackConstraintSet {
    torch?: boolean
  }
}
