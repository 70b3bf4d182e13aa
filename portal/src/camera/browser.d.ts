import type { BarcodeDetector as Detector } from 'barcode-detector/ponyfill'

// What browsers have and the compiler's library does not know yet.
declare global {
  /** Chromium on Android and macOS, Safari behind a switch; nobody else. */
  // oxlint-disable-next-line no-var -- only a var is a property of the global object
  var BarcodeDetector: typeof Detector | undefined
  // oxlint-disable-next-line no-var -- only a var is a property of the global object
  var trustedTypes:
    | {
        createPolicy: (
          name: string,
          rules: { createScriptURL: (url: string) => string },
        ) => {
          /** Not a text, but what takes an address takes this. */
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
