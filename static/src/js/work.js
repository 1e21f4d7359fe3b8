// What pages with an image or an editor need on top of app.js.
