import { Socket } from 'node:net'

// One buffer for all connections: Node reads from one socket at a time.
const received = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Opens a socket that reads into a buffer of the process and passes on a copy of what arrived. By
 * default Node allocates 64 KiB for each read, which glibc then maps and unmaps (see
 * docs/decisions/0113), for answers of about one.
 */
export function openSocket(): Socket {
  const socket = new Socket({ onread: { buffer: received, callback: passOn } })
  function passOn(bytes: number): boolean {
    socket.emit('data', Buffer.from(received.subarray(0, bytes)))
    return true
  }
  return socket
}
