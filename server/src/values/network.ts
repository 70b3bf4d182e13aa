import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network of one subscriber, for limits: an IPv4 address, or the first 64 bits of an IPv6
 * address. An IPv4 address inside IPv6 (`::ffff:192.0.2.1`, RFC 4291
 * section 2.5.5.2) is the same as the plain one.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (isIPv4(plain) || !isIPv6(plain)) return plain.slice(0, 64)
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address: string): number[] {
  // A URL writes an address in its canonical form, without an IPv4 address at the end.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))))
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}
