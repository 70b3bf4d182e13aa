import type { LoginInfo } from '@tillside/contract/auth'

/** The storage name of a value that belongs to one company. */
export function keptName(identifier: string, name: string): string {
  return `tillside:${identifier}:${name}`
}

/** Whether a session is still valid; an expiry of -1 means never (specification, section 4). */
export function isLive<S extends Pick<LoginInfo, 'expiresAt'>>(
  info: S | null,
  now = Date.now(),
): info is S {
  return info !== null && (info.expiresAt === -1 || info.expiresAt * 1000 > now)
}
