// The server's side of RFC 6455, as little as the fixtures need: text, binary, ping, close, fragments.
import { createHash } from 'node:crypto';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
export const TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10;

/// Answers the upgrade and returns {send(data, opcode), close(code)}; `on` is {message(data, opcode), close()}.
export function accept(request, socket, on) {
  const key = createHash('sha1').update(request.headers['sec-websocket-key'] + MAGIC).digest('base64');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  socket.setNoDelay(true);

  let buffer = Buffer.alloc(0), parts = [], opening = 0, closed = false;
  const send = (data, opcode = TEXT) => { if (!closed) socket.write(frame(Buffer.from(data), opcode)); };
  const finish = () => { if (!closed) { closed = true; on.close?.(); } };
  const close = (code = 1000) => {
    if (closed) return;
    const body = Buffer.alloc(2);
    body.writeUInt16BE(code);
    socket.end(frame(body, CLOSE));
    finish();
  };

  socket.on('data', chunk => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let one; (one = take(buffer)); ) {
      buffer = buffer.subarray(one.size);
      if (one.opcode === CLOSE) { close(one.data.length >= 2 ? one.data.readUInt16BE(0) : 1000); return; }
      if (one.opcode === PING) { send(one.data, PONG); continue; }
      if (one.opcode === PONG) continue;
      if (one.opcode !== 0) { opening = one.opcode; parts = []; }
      parts.push(one.data);
      if (one.final) on.message?.(Buffer.concat(parts), opening);
    }
  });
  socket.on('close', finish);
  socket.on('error', finish);
  return { send, close };
}

function frame(data, opcode) {
  const n = data.length, head = Buffer.alloc(n < 126 ? 2 : n < 65536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (n < 126) head[1] = n;
  else if (n < 65536) { head[1] = 126; head.writeUInt16BE(n, 2); }
  else { head[1] = 127; head.writeBigUInt64BE(BigInt(n), 2); }
  return Buffer.concat([head, data]);
}

// The first whole frame of `buffer`, unmasked, or null while it is incomplete.
function take(buffer) {
  if (buffer.length < 2) return null;
  let length = buffer[1] & 0x7f, at = 2;
  if (length === 126) { if (buffer.length < 4) return null; length = buffer.readUInt16BE(2); at = 4; }
  else if (length === 127) { if (buffer.length < 10) return null; length = Number(buffer.readBigUInt64BE(2)); at = 10; }
  const masked = (buffer[1] & 0x80) !== 0, mask = masked ? buffer.subarray(at, at + 4) : null;
  if (masked) at += 4;
  if (buffer.length < at + length) return null;
  const data = Buffer.from(buffer.subarray(at, at + length));
  if (mask) for (let i = 0; i < data.length; i++) data[i] ^= mask[i & 3];
  return { final: (buffer[0] & 0x80) !== 0, opcode: buffer[0] & 0x0f, data, size: at + length };
}
