-- A script for wrk: sends prepared requests in turn. The file that its argument names has a line
-- with the length of each request, an empty line, and then the requests themselves.
local requests, last = {}, 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  local lengths = {}
  for line in file:lines() do
    if line == "" then
      break
    end
    lengths[#lengths + 1] = tonumber(line)
  end
  for number, length in ipairs(lengths) do
    requests[number] = assert(file:read(length))
  end
  file:close()
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary)
  local errors = summary.errors
  print(string.format("answers %d micros %d failures %d",
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
