-- Sends the requests of a file and checks every answer. Arguments: the file, `once` or `again`, and
-- the texts of which a right answer has one. One thread, so that the requests keep their order.
local thread_of_run

function setup(thread)
  thread_of_run = thread
end

function init(args)
  sent, wrong, first_wrong, ran_out = 0, 0, "", 0
  requests, signs = {}, {}
  again = args[2] == "again"
  for n = 3, #args do
    signs[#signs + 1] = args[n]
  end
  local file = assert(io.open(args[1], "rb"))
  for size in file:lines() do
    requests[#requests + 1] = file:read(tonumber(size))
  end
  file:close()
end

function request()
  sent = sent + 1
  if sent > #requests and not again then
    ran_out = 1
  end
  return requests[(sent - 1) % #requests + 1]
end

function response(status, _, body)
  if status == 200 then
    for n = 1, #signs do
      if body:find(signs[n], 1, true) then
        return
      end
    end
  end
  wrong = wrong + 1
  if wrong == 1 then
    first_wrong = status .. " " .. body
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  local thread = thread_of_run
  io.stderr:write(
    table.concat({
      summary.requests,
      summary.duration,
      latency:percentile(50),
      latency:percentile(99),
      failed,
      thread:get("sent"),
      thread:get("wrong"),
      thread:get("ran_out"),
      thread:get("first_wrong"),
    }, "\n")
  )
end
