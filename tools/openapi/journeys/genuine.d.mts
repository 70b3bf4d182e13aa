/** The check of a signature in docs/webhooks.md; the test takes it from the page. */
export function isGenuine(
  secret: string,
  timestamp: string,
  signatures: string,
  body: Buffer,
): boolean
