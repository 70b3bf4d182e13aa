// The cookie of a device that has logged in. It opens no session: it only gives the device its own
// allowance of wrong passwords. The prefix `__Host-` lets no other host of the domain set it
// (RFC 6265bis, section 4.1.3); browsers accept the prefix only over TLS.

const name = 'tillside-device'
/** As long as the server remembers a device after its last login. */
const maxAgeSeconds = 90 * 24 * 3600

function nameOf(isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

/** The device's token in a Cookie header; null when it is missing or malformed. */
export function deviceTokenIn(header: string | undefined, isSecure: boolean): string | null {
  const cookies = (header ?? '').split(';').map((pair) => pair.trim().split('='))
  const value = cookies.find(([cookie]) => cookie === nameOf(isSecure))?.[1] ?? ''
  return /^[\w-]{43}$/.test(value) ? value : null
}

/** The Set-Cookie header that makes the browser keep a token. Scripts cannot read it. */
export function deviceCookie(token: string, isSecure: boolean): string {
  const always = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
  return `${nameOf(isSecure)}=${token}; ${always}${isSecure ? '; Secure' : ''}`
}
