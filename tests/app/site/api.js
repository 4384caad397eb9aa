// The REST interface as the page uses it. A refusal is an Error with the server's own words.
export async function call(method, path, body) {
  const response = await fetch(path, {
    method, headers: body === undefined ? {} : { 'content-type': 'application/json' }, body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw Object.assign(new Error(answer?.error ?? `The server answered ${response.status}.`), { status: response.status });
  return answer;
}
