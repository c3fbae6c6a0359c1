# A PostScript file becomes the same image and the same document, byte for byte.
# needs: gs
cat >page.ps <<'P'
%!PS
/spiral { gsave 300 400 translate 0 1 719 { /i exch def
  i 720 div 1 i 720 div sub 0.5 setrgbcolor
  i 3 mul rotate 0 0 moveto i 3 div 0 lineto stroke } for grestore } def
0.3 setlinewidth spiral
/Times-Roman findfont 30 scalefont setfont
20 20 moveto 0 setgray (Text on a page of its own) show
/pattern << /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 20 20] /XStep 20 /YStep 20
  /PaintProc { pop 0.7 setgray 5 5 10 10 rectfill } >> matrix makepattern def
/Pattern setcolorspace pattern setcolor 50 600 500 150 rectfill
showpage
/list [ 0 1 20000 { 20 string cvs } for ] def
list length = list 777 get =
/d 5000 dict def 0 1 4999 { dup d 3 1 roll 20 string cvs cvn exch put } for d length =
vmreclaim
1 1 5 { /n exch def /Courier findfont n 10 mul scalefont setfont 20 700 n 60 mul sub moveto (Size) show } for
showpage
P
sed -i '/^vmreclaim/d' page.ps
for device in png16m ppmraw pngmono txtwrite; do
    run gs -q -dBATCH -dNOPAUSE -dSAFER -r100 -sDEVICE=$device -sOutputFile="page%d.$device" page.ps
    cat page?.$device | cksum
done
run gs -q -dBATCH -dNOPAUSE -dNumRenderingThreads=2 -dBandBufferSpace=200000 -r200 -sDEVICE=ppmraw -sOutputFile=- page.ps | cksum
run gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=page.pdf page.ps
run gs -q -dBATCH -dNOPAUSE -r72 -sDEVICE=ppmraw -sOutputFile=- page.pdf | cksum
echo '(unfinished' | run gs -q -dBATCH -dNOPAUSE -sDEVICE=nullpage - 2>&1 | head -1
