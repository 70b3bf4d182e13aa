// An open queueing network: calls come as they please (Poisson), pass stations one after the other,
// and leave. Each station is M/M/c; by Jackson's theorem each behaves as if it stood alone.
// L. Kleinrock, Queueing Systems, volume 1 (Wiley 1975), sections 3.5 and 4.8.

export type Station = {
  /** How much work a second arrives: calls a second × seconds each. Below `servers`. */
  load: number
  /** How many work side by side. */
  servers: number
  /** The share of calls that have to wait. */
  delayed: number
  /** The mean of all calls that come here. */
  meanSeconds: number
}

/** A station for this load of calls of this mean. */
export function station(load: number, servers: number, meanSeconds: number): Station {
  return { load, servers, delayed: waiting(load, servers), meanSeconds }
}

/**
 * Erlang's C: the share of calls that have to wait, in the form that does not overflow:
 * B(0) = 1, B(k) = a B(k-1) / (k + a B(k-1)), C = B / (1 - (a/c)(1 - B)).
 */
function waiting(load: number, servers: number): number {
  let blocked = 1
  for (let k = 1; k <= servers; k++) blocked = (load * blocked) / (k + load * blocked)
  return blocked / (1 - (load / servers) * (1 - blocked))
}

/**
 * How long one call is at a station, drawn: it waits with probability C, for a time that is
 * exponential with mean S / (c - a), and is then served for one that is exponential as well.
 * @param ownSeconds the mean of calls of this kind
 */
export function stay(at: Station, ownSeconds: number, random: () => number): number {
  const served = -ownSeconds * Math.log(1 - random())
  if (random() >= at.delayed) return served
  return served - (at.meanSeconds / (at.servers - at.load)) * Math.log(1 - random())
}
