import { BlockList, isIP } from 'node:net'

/** The environment decides which API base URL a portal uses; a local portal uses its own origin. */
export type Environment = 'local' | 'qa' | 'uat' | 'production'

const ownNetworks = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  ownNetworks.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  ownNetworks.addSubnet(network, prefix, 'ipv6')
}

/**
 * Derives the environment from the host name of the portal (specification, section 9): `qa` or
 * `uat` as a word in it, local for `localhost` and private addresses, otherwise production.
 * @param host without a port
 */
export function environmentOf(host: string): Environment {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  const version = isIP(name)
  if (version !== 0) {
    return ownNetworks.check(name, version === 6 ? 'ipv6' : 'ipv4') ? 'local' : 'production'
  }
  const word = /(?:^|[.-])(qa|uat)\d*(?=[.-]|$)/.exec(name)?.[1]
  if (word === 'qa' || word === 'uat') return word
  return /(^|\.)localhost$/.test(name) ? 'local' : 'production'
}
