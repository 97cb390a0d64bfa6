/** The page's only script. It sends forms and button clicks to the control API as JSON. */
export const pageScript = `
const outcome = document.querySelector('#outcome');
async function call(method, path, body) {
  const response = await fetch('/_sandbox' + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) {
    location.reload();
    return;
  }
  outcome.textContent = 'Error: ' + (await response.json()).error;
  outcome.scrollIntoView();
}
document.querySelector('#reset').addEventListener('click', () => call('POST', '/reset'));
document.querySelector('#add-fault').addEventListener('submit', (event) => {
  event.preventDefault();
  const fault = {};
  for (const [name, value] of new FormData(event.target)) {
    if (value !== '') {
      fault[name] = ['status', 'delayMs', 'times'].includes(name) ? Number(value) : value;
    }
  }
  call('POST', '/faults', fault);
});
document.querySelector('#send-event').addEventListener('submit', (event) => {
  event.preventDefault();
  const { platform, fromId, fromName, postId, ...rest } = Object.fromEntries(new FormData(event.target));
  call('POST', '/social/' + platform + '/events', {
    ...rest,
    from: { id: fromId, name: fromName },
    ...(postId === '' ? {} : { postId }),
  });
});
for (const button of document.querySelectorAll('[data-end-fault]')) {
  button.addEventListener('click', () => call('DELETE', '/faults/' + button.dataset.endFault));
}
`;
