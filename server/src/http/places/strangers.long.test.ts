import { allTargets, endlessTargets, testFloods } from '../../testing/hostile/strangers.ts'

// Every kind of request directly and behind nginx; the other floods with one call of each place.
const everything = [...allTargets, ...endlessTargets]
const some = ['the login', 'a staff call with an unknown token']
testFloods({ from: 'one address' }, everything)
testFloods({ from: '500 addresses', isBehindNginx: true }, everything)
testFloods({ from: '500 addresses' }, some)
testFloods({ from: '500 addresses', pauseMs: 1_000 }, some)
testFloods({ from: 'one address', isBehindNginx: true }, some)
testFloods({ from: '500 addresses', isBehindNginx: true, pauseMs: 1_000 }, some)
// More connections than nginx has places for calls of staff and tills.
testFloods({ from: 'one address', isBehindNginx: true, connections: 1_000 }, [
  'a staff call with an unknown token',
  'a till with an unknown key',
])
