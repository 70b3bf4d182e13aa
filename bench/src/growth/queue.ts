// An open queueing network: calls arrive independently (Poisson), pass the stations one after
// another, and leave. Each station is M/M/c; by Jackson's theorem each behaves independently of the
// others. L. Kleinrock, Queueing Systems, volume 1 (Wiley 1975), sections 3.5 and 4.8.

export type Station = {
  /** Offered load: calls a second × seconds for each call. Must be below `servers`. */
  load: number
  /** The number of parallel servers. */
  servers: number
  /** The share of calls that must wait. */
  delayed: number
  /** The mean service time of all calls at this station. */
  meanSeconds: number
}

/** Creates a station for this load of calls with this mean service time. */
export function station(load: number, servers: number, meanSeconds: number): Station {
  return { load, servers, delayed: waiting(load, servers), meanSeconds }
}

/**
 * The share of calls that must wait, by Erlang's C formula in the recursive form that does not
 * overflow: B(0) = 1, B(k) = a B(k-1) / (k + a B(k-1)), C = B / (1 - (a/c)(1 - B)).
 */
function waiting(load: number, servers: number): number {
  let blocked = 1
  for (let k = 1; k <= servers; k++) blocked = (load * blocked) / (k + load * blocked)
  return blocked / (1 - (load / servers) * (1 - blocked))
}

/**
 * Draws the time of one call at a station, in seconds: with probability C a waiting time, which is
 * exponential with mean S / (c - a), plus an exponential service time.
 * @param ownSeconds the mean service time of calls of this kind
 */
export function stay(at: Station, ownSeconds: number, random: () => number): number {
  const served = -ownSeconds * Math.log(1 - random())
  if (random() >= at.delayed) return served
  return served - (at.meanSeconds / (at.servers - at.load)) * Math.log(1 - random())
}
