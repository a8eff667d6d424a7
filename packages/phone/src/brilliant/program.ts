/**
 * The program that runs on the glasses: one for Frame and Halo, which differ in the display, the microphone and the input. It
 * starts with a blank display, draws nothing before a message is complete, and ends when the phone is gone, so that neither display
 * nor microphone stay on.
 *
 * The functions of the table `frame` are those of the Brilliant docs, `frame-sdk-lua.md` and `halo-sdk-lua.md`.
 *
 * Packets to it: sequence number, flags (1 first, 2 last packet of a message), data; a message begins with its code. Packets
 * from it: code, data. The codes are those of `messages.ts`. A packet that comes again is acknowledged again, and not carried
 * out again. Comments have lines of their own, which are not uploaded.
 */
export const PROGRAM = `
local bluetooth, display, mic = frame.bluetooth, frame.display, frame.microphone
local halo = frame.button ~= nil
local running, listening = true, false
-- Packets and gestures that callbacks received: these interrupt the program anywhere and must be short.
local inbox, gestures = {}, {}
local parts, last, status = {}, -1, 0
local strips = {}
local heard, audio_number = '', 0
-- Whole LC3 frames of 20 bytes, 50 ms; or as many samples of 2 bytes as a packet takes.
local audio_bytes = halo and 100 or (bluetooth.max_length() - 2) // 2 * 2
local audio_format = halo
  and {encoder = 'lc3', sample_rate = 16000, channels = 1, duration = 1000, bitrate = 16000}
  or {sample_rate = 8000, bit_depth = 16}

-- Calls a function and returns whether it succeeded. The signal that ends the program passes.
local function try(run, ...)
  local ok, problem = pcall(run, ...)
  problem = tostring(problem)
  if not ok and (problem:find('break signal', 1, true) or problem:find('interrupted', 1, true)) then
    error(problem, 0)
  end
  return ok
end

-- Sends a packet. The radio takes one at a time, so that a send may fail and is tried again for half a second.
local function send(packet)
  for _ = 1, 100 do
    if try(bluetooth.send, packet) then return end
    frame.sleep(0.005)
  end
end

local function clear()
  if halo then display.clear(0) end
end

local function blank()
  clear()
  if not halo then display.text(' ', 1, 1) end
  display.show()
end

local handlers = {}

-- Text: for each line x, y, text.
handlers[0x10] = function(data)
  strips = {}
  clear()
  local at = 1
  while at <= #data do
    local x, y, line
    x, y, line, at = string.unpack('>I2I2s1', data, at)
    display.text(line, x, y)
  end
  display.show()
end

-- A strip of a picture: 1 for the first, x, y, width, one bit for each pixel.
handlers[0x11] = function(data)
  local first, x, y, width, at = string.unpack('>BI2I2I2', data)
  if first == 1 then strips = {} end
  strips[#strips + 1] = {x, y, width, data:sub(at)}
end

-- Shows the strips.
handlers[0x12] = function()
  clear()
  for _, strip in ipairs(strips) do
    display.bitmap(strip[1], strip[2], strip[3], 2, 0, strip[4])
  end
  strips = {}
  display.show()
end

-- Microphone: 1 on, 0 off. It may still be on from an earlier program, and is then started again.
handlers[0x20] = function(data)
  if listening then mic.stop() end
  listening, heard = data:byte() == 1, ''
  if listening and not try(mic.start, audio_format) then
    listening = false
    mic.stop()
    mic.start(audio_format)
    listening = true
  end
end

-- Sends the battery: per cent, 1 while charging.
handlers[0x30] = function()
  local charging = halo and frame.battery_charging() and 1 or 0
  send(string.char(0x03, math.floor(frame.battery_level()), charging))
end

-- Brightness: 0 to 100 on Halo, -2 to 2 on Frame.
handlers[0x40] = function(data)
  local level = string.unpack('b', data)
  if halo then display.brightness(level) else display.set_brightness(level) end
end

handlers[0x50] = function() running = false end

local function receive(packet)
  if #packet < 2 then return end
  local number, flags = packet:byte(1, 2)
  if number ~= last then
    if flags & 1 == 1 then parts = {} end
    parts[#parts + 1] = packet:sub(3)
    last, status = number, 0
    if flags & 2 == 2 then
      local message = table.concat(parts)
      parts = {}
      if not try(handlers[message:byte()], message:sub(2)) then status = 1 end
    end
  end
  send(string.char(0x01, number, status))
end

local function listen()
  for _ = 1, 8 do
    local data = mic.read(audio_bytes)
    if not data or data == '' then return end
    heard = heard .. data
    while #heard >= audio_bytes do
      audio_number = (audio_number + 1) % 256
      send(string.char(0x02, audio_number) .. heard:sub(1, audio_bytes))
      heard = heard:sub(audio_bytes + 1)
    end
  end
end

bluetooth.receive_callback(function(packet)
  if #inbox < 4 then inbox[#inbox + 1] = packet end
end)
local function gesture(code)
  return function()
    if #gestures < 8 then gestures[#gestures + 1] = code end
  end
end
if halo then
  frame.button.single(gesture(1))
  frame.button.double(gesture(2))
  frame.button.long(gesture(3))
  display.power_save(false)
  display.set_font(0, 16, 1)
else
  frame.imu.tap_callback(gesture(0))
end

blank()
send(string.char(0x00))
while running and bluetooth.is_connected() do
  while inbox[1] do receive(table.remove(inbox, 1)) end
  while gestures[1] do send(string.char(0x04, table.remove(gestures, 1))) end
  if listening then listen() end
  frame.sleep(0.02)
end

if listening then mic.stop() end
blank()
bluetooth.receive_callback(nil)
if halo then
  frame.button.single(nil)
  frame.button.double(nil)
  frame.button.long(nil)
else
  frame.imu.tap_callback(nil)
end
`
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('--'))
  .join('\n')
