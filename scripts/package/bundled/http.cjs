/**
 * Takes the place of `node:http` in bundles. An import of it reads all of its properties, and with
 * them loads the classes of `fetch` and WebSocket, which takes 20 ms of each cold start; a function
 * speaks HTTPS, and needs the names of statuses. Read this way, a property is read when it is used.
 */
module.exports = process.getBuiltinModule('node:http');
